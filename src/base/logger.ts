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
  '*.code',
];

/** A JSON logger to standard error; `level` is pino's (`silent` for none). */
export function createLogger(level: string, name: string): Logger {
  return pino({ level, name, redact: { paths: REDACTED, censor: '********' } }, pino.destination(2));
}

export const silentLogger: Logger = pino({ level: 'silent' });
