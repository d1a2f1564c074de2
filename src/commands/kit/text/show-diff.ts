import { type CommandOutput, printable, type Style } from '../command-output.ts';

/** A unified diff below an empty line, in the colours of Git. */
export function showDiff(diff: string, out: CommandOutput): void {
  out.line();
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const style = styleOf(line);
    out.line(style === null ? printable(line) : out.paint(style, printable(line)));
  }
}

function styleOf(line: string): Style | null {
  if (line.startsWith('--- ') || line.startsWith('+++ ')) return 'bold';
  if (line.startsWith('@@')) return 'cyan';
  if (line.startsWith('-')) return 'red';
  return line.startsWith('+') ? 'green' : null;
}
