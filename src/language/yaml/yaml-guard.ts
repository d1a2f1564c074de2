import type { Problem } from '../../base/errors.ts';

/** Bounds on a document. A text beyond any of them is refused before it is composed into values. */
export interface YamlLimits {
  /** UTF-8 bytes of the text, default 262,144. */
  readonly bytesMax: number;
  /** Lines of the text, default 10,000. */
  readonly linesMax: number;
  /** Maps and lists inside each other, in block or flow style, default 100. */
  readonly depthMax: number;
  /** Lexical tokens (a key with its value has about eight), default 80,000. */
  readonly tokensMax: number;
  /** Keys, values and list items after aliases are expanded, default 20,000. */
  readonly nodesMax: number;
  /** Uses of `*alias`, default 50. */
  readonly aliasesMax: number;
}

export const YAML_LIMITS: YamlLimits = {
  bytesMax: 262_144,
  linesMax: 10_000,
  depthMax: 100,
  tokensMax: 80_000,
  nodesMax: 20_000,
  aliasesMax: 50,
};

/**
 * The check that costs next to nothing (under a millisecond for a text of the largest size): bytes, lines and NUL
 * characters. For a caller that passes the text on to a worker thread; `loadYaml` does it again, and more.
 * Gives no problems for a text that may be parsed.
 */
export function guardYaml(text: string, limits: Partial<YamlLimits> = {}): Problem[] {
  const { bytesMax, linesMax } = { ...YAML_LIMITS, ...limits };
  // A text of n characters has at least n bytes: no need to count those of a huge one.
  const bytes = text.length > bytesMax ? text.length : Buffer.byteLength(text);
  if (bytes > bytesMax) {
    return [
      { path: '', message: `The document is longer than ${bytesMax} bytes; make it shorter or split it` },
    ];
  }
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    lines += 1;
    if (lines > linesMax) {
      const message = `The document has more than ${linesMax} lines; make it shorter or split it`;
      return [{ path: '', message, line: lines, column: 1 }];
    }
  }
  if (text.includes('\0')) return [{ path: '', message: 'The document contains a NUL character; remove it' }];
  return [];
}
