import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';

/** Longest diff in characters; the line that says it was cut comes after them. */
export const diffCharsMax = 200_000;
const COMPARE_MS = 100;

export interface TextDiffOptions {
  /** What the two texts are called in the first two lines. */
  readonly from: string;
  readonly to: string;
  /** Longest diff in characters, default and at most `diffCharsMax`. */
  readonly charsMax?: number;
  /** Time for the comparison in milliseconds, default 100. Texts that take longer are shown as wholly replaced. */
  readonly timeoutMs?: number;
}

/**
 * A unified diff of two texts, line by line; empty for equal texts. It is always one that `patch` reads: texts that differ too much to
 * be compared in time are one hunk that takes all lines away and adds all others, and where it is too long it ends after a
 * whole line, with a last line that says so.
 */
export function textDiff(before: string, after: string, options: TextDiffOptions): string {
  if (before === after) return '';
  const { from, to, timeoutMs = COMPARE_MS } = options;
  const compared = createTwoFilesPatch(from, to, before, after, undefined, undefined, {
    timeout: Math.max(1, timeoutMs),
    headerOptions: FILE_HEADERS_ONLY,
  });
  const diff = compared ?? `--- ${from}\n+++ ${to}\n${replacement(before, after)}`;
  return cut(diff, Math.min(options.charsMax ?? diffCharsMax, diffCharsMax));
}

function replacement(before: string, after: string): string {
  const [taken, added] = [linesOf(before), linesOf(after)];
  const rangeOf = (lines: readonly string[]) => `${Math.min(lines.length, 1)},${lines.length}`;
  return `@@ -${rangeOf(taken)} +${rangeOf(added)} @@\n${marked('-', before)}${marked('+', after)}`;
}

function marked(sign: '-' | '+', text: string): string {
  const lines = linesOf(text).map((line) => `${sign}${line}\n`);
  const open = text !== '' && !text.endsWith('\n');
  return lines.join('') + (open ? '\\ No newline at end of file\n' : '');
}

function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

/** After the last line that fits, or inside it where it alone is too long. A line that begins with "\" is a remark in a diff. */
function cut(diff: string, charsMax: number): string {
  if (diff.length <= charsMax) return diff;
  const end = diff.lastIndexOf('\n', charsMax - 1) + 1;
  const kept = end === 0 ? `${diff.slice(0, charsMax)}\n` : diff.slice(0, end);
  return `${kept}\\ The diff was cut: it is longer than ${charsMax} characters\n`;
}
