import { styleText } from 'node:util';

export type Style = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold';

/** What a command says: results to standard output, everything else to standard error. */
export interface CommandOutput {
  /** With `--json`: results are JSON, and nothing else is written to standard output. */
  readonly isJson: boolean;
  /** Width of the terminal that results go to; `Infinity` where that is a file or a program. */
  readonly columns: number;
  /** A line for people; nothing with `--json`. */
  line(text?: string): void;
  /** One JSON value on a line of its own. */
  json(value: unknown): void;
  /** A line on standard error. */
  error(text: string): void;
  /** Colours where standard output is a terminal and NO_COLOR is not set. */
  paint(style: Style, text: string): string;
}

/** Control characters but for tab, and those that reorder text: rows and names come from elsewhere, terminals obey them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
const UNPRINTABLE = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text from elsewhere on one line of a terminal. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (char) => (char === '\n' ? ' ' : '\ufffd'));
}

export function createCommandOutput(isJson: boolean): CommandOutput {
  return {
    isJson,
    columns: (process.stdout.isTTY && process.stdout.columns) || Number.POSITIVE_INFINITY,
    line: (text = '') => {
      if (!isJson) process.stdout.write(`${text}\n`);
    },
    json: (value) => {
      process.stdout.write(`${JSON.stringify(value)}\n`);
    },
    error: (text) => {
      process.stderr.write(`${text}\n`);
    },
    paint: (style, text) => styleText(style, text, { stream: process.stdout }),
  };
}
