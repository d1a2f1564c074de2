import { styleText } from 'node:util';
import { pino } from 'pino';

/** The part of a logger that code may use; pino's, with the fields first. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: object): Logger;
}

const REDACTED = [
  'req.headers.authorization',
  'req.headers.cookie',
  '*.password',
  '*.secret',
  '*.token',
  '*.api_key',
  // A one-time code of a sign-in; the code of an error is no secret.
  'body.code',
  'req.body.code',
];

/** `auto`: text where a person reads along on a terminal, else JSON. */
export type LogFormat = 'auto' | 'json' | 'text';

/** A logger to standard error; `level` is pino's (`silent` for none). */
export function createLogger(level: string, name: string, format: LogFormat = 'auto'): Logger {
  const isText = format === 'text' || (format === 'auto' && process.stderr.isTTY === true);
  const options = { level, name, redact: { paths: REDACTED, censor: '********' } };
  if (!isText) return pino(options, pino.destination(2));
  return pino(options, { write: (line: string) => void process.stderr.write(`${textOf(line)}\n`) });
}

const LEVELS: Readonly<Record<number, readonly [label: string, style: 'dim' | 'green' | 'yellow' | 'red']>> =
  {
    10: ['TRACE', 'dim'],
    20: ['DEBUG', 'dim'],
    30: ['INFO ', 'green'],
    40: ['WARN ', 'yellow'],
    50: ['ERROR', 'red'],
    60: ['FATAL', 'red'],
  };

/** One of pino's lines for people: time, level, message, the fields; then an error with its stack. Colours as the terminal has them. */
function textOf(line: string): string {
  const { level, time, msg, name, err, pid: _, hostname: __, ...fields } = JSON.parse(line) as Line;
  const [label, style] = LEVELS[level] ?? ['     ', 'dim'];
  const at = new Date(time).toLocaleTimeString('en-GB');
  const dim = (text: string) => styleText('dim', text, { stream: process.stderr });
  const told = Object.entries(fields).map(([key, value]) =>
    dim(printable(`${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)),
  );
  const head = [dim(at), styleText(style, label, { stream: process.stderr }), name, printable(msg), ...told];
  if (err === undefined) return head.join(' ');
  const code = err.code === undefined ? '' : ` (${err.code})`;
  const stack = (err.stack ?? '').split('\n').slice(1).map(printable).join('\n');
  return `${head.join(' ')}\n  ${printable(err.message ?? '')}${code}\n${dim(stack)}`;
}

/** A message may hold what a stranger sent: nothing of it moves the cursor or looks like another line. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd');
}

interface Line {
  readonly level: number;
  readonly time: number;
  readonly msg: string;
  readonly name: string;
  readonly pid: unknown;
  readonly hostname: unknown;
  readonly err?: { readonly message?: string; readonly stack?: string; readonly code?: string | number };
}

export const silentLogger: Logger = pino({ level: 'silent' });
