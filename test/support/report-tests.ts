import { inspect } from 'node:util';
import { Parser, type Result } from 'tap-parser';

/** Takes a run's TAP as it comes and prints a line per file, and under it what failed. */
export function reportTests(print: (line: string) => void): NodeJS.WritableStream {
  const parser = new Parser();
  let wrong: Result[] = [];
  const watch = (inner: Parser) => {
    inner.on('child', watch);
    inner.on('assert', (result) => {
      const isAnswer = result.ok || result.skip !== false || result.todo !== false;
      if (!isAnswer && !(result.closingTestPoint && wrong.length > 0)) wrong.push(result);
    });
  };
  parser.on('child', watch);
  parser.on('assert', (result) => {
    const seconds = ((result.time ?? 0) / 1_000).toFixed(1);
    const skipped = result.skip === false ? '' : `: skipped, ${result.skip}`;
    print(`${result.ok ? 'ok    ' : 'FAILED'} ${result.name} (${seconds} s)${skipped}`);
    if (!result.ok) for (const failure of wrong.length > 0 ? wrong : [result]) print(describe(failure));
    wrong = [];
  });
  return parser as unknown as NodeJS.WritableStream;
}

function describe({ fullname, name, diag }: Result): string {
  const lines = [`${fullname || name}`];
  for (const [key, value] of Object.entries((diag ?? {}) as Record<string, unknown>)) {
    if (key === 'source' || key === 'args' || key === 'command') continue;
    const text = typeof value === 'string' ? value.trimEnd() : inspect(value, { depth: 4, breakLength: 120 });
    lines.push(...`${key}: ${text.includes('\n') ? '\n' : ''}${text}`.split('\n').map((line) => `  ${line}`));
  }
  return lines.map((line) => `    ${line}`).join('\n');
}
