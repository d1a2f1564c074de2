import { pino } from 'pino';
import type { Logger } from '../../src/base/logger.ts';

/** A logger that keeps what it is told from `warn` on: one line of JSON each, oldest first. */
export function keptLogger(): { readonly logger: Logger; lines(): readonly string[] } {
  const kept: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void kept.push(line) });
  return { logger, lines: () => kept };
}
