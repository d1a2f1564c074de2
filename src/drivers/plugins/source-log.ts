import type { LogLevel } from '../../base/run-report.ts';
import type { SourceLog } from './source-state.ts';

const LINES_MAX = 1_000;
const LINE_CHARS_MAX = 4_000;

const LEVELS: Readonly<Record<string, LogLevel>> = {
  FATAL: 'error',
  CRITICAL: 'error',
  ERROR: 'error',
  WARN: 'warn',
  WARNING: 'warn',
  INFO: 'info',
  DEBUG: 'debug',
  TRACE: 'debug',
};

/** What a plug-in logs, in the words of its ecosystem's levels: up to a number of lines, none of them endless. */
export function boundedLog(log: SourceLog | undefined, clean: (text: string) => string) {
  let lines = 0;
  return (level: string, message: string): void => {
    if (log === undefined || lines > LINES_MAX) return;
    lines += 1;
    if (lines > LINES_MAX) log('warn', `The plug-in logged ${LINES_MAX} lines: further lines are not shown`);
    else log(LEVELS[level.toUpperCase()] ?? 'info', clean(message).slice(0, LINE_CHARS_MAX));
  };
}
