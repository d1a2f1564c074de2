import {
  LOG_LEVELS,
  type LogLevel,
  logLevelName,
  ROW_COUNTS,
  type RunOutcome,
  type StepProgress,
} from '../../base/run-report.ts';
import { formatCount, formatSeconds } from '../../base/text/format-figures.ts';
import type { Report } from '../../executor/runner/runner-messages.ts';
import type { LogLine } from '../../protocol/control-plane.ts';
import { type CommandOutput, printable, type Style } from '../kit/command-output.ts';
import { createProgressBar } from '../kit/progress-bar.ts';
import { layOutTable } from '../kit/text/lay-out-table.ts';
import { verificationLines } from '../verify/verification-lines.ts';

const STYLES: Readonly<Record<LogLevel, Style>> = {
  debug: 'dim',
  info: 'cyan',
  warn: 'yellow',
  error: 'red',
};
const COUNT_HEADS: Readonly<Record<(typeof ROW_COUNTS)[number], string>> = {
  rows_in: 'rows in',
  rows_out: 'rows out',
  rows_failed: 'failed',
  rows_skipped: 'skipped',
  rows_filtered: 'filtered',
  rows_deleted: 'deleted',
};
const TEXT_COLUMNS = 3;
/** Steps of these kinds that have succeeded show that no row came; others have rows or are not about them. */
const KINDS_OF_ROWS = ['extract', 'transform', 'load'];
const RATIO_PARTS = 1_000;

/** What a local run shows: its log and a progress bar on standard error while it is running. */
export interface RunScreen {
  report(report: Report): void;
  close(): void;
}

export async function openRunScreen(out: CommandOutput, level: LogLevel): Promise<RunScreen> {
  const bar = await createProgressBar(!out.isJson);
  return {
    report({ lines, progress }) {
      for (const line of lines) {
        if (line.level < LOG_LEVELS[level]) continue;
        const name = logLevelName(line.level);
        const step = line.step_id === '' ? '' : `${line.step_id}: `;
        const text = printable(`${name.padEnd(5)} ${step}${line.message}`);
        bar.line(out.isJson ? jsonOf(line) : out.paint(STYLES[name], text));
      }
      const newest = progress.at(-1);
      if (newest !== undefined) showProgress(newest, bar.update);
    },
    close: () => bar.stop(),
  };
}

function jsonOf({ level, fields_json, ...line }: LogLine): string {
  const fields = fields_json === '' ? null : JSON.parse(fields_json);
  return JSON.stringify({ ...line, level: logLevelName(level), fields });
}

function showProgress(
  { step_id, rows_in, rows_out, rows_per_second, ratio }: StepProgress,
  update: (value: number, total: number | null, text: string) => void,
): void {
  const rows = formatCount(Math.max(rows_in, rows_out));
  const text = `${printable(step_id)}: ${rows} rows, ${formatCount(rows_per_second)} rows/s`;
  if (ratio < 0) update(0, null, text);
  else update(Math.round(ratio * RATIO_PARTS), RATIO_PARTS, text);
}

/** What the task gives: a line for each output. */
function outputLines(outputs: Readonly<Record<string, unknown>>): string[] {
  const rows = Object.entries(outputs).map(([name, value]) => [
    name,
    printable(typeof value === 'string' ? value : JSON.stringify(value)),
  ]);
  return ['', ...layOutTable([['output', 'value'], ...rows], 2)];
}

/** A line for each step, under a head. Rows that a load removed have a column only where there are any. */
function stepLines(steps: RunOutcome['steps']): string[] {
  if (steps.length === 0) return [];
  const shown = ROW_COUNTS.filter(
    (name) => name !== 'rows_deleted' || steps.some(({ rows_deleted }) => rows_deleted > 0),
  );
  const head = ['step', 'kind', 'status', ...shown.map((name) => COUNT_HEADS[name]), 'time', 'rows/s'];
  const rows = steps.map((step) => {
    const ms = Math.max(0, step.ended_at - step.started_at);
    const moved = Math.max(step.rows_in, step.rows_out);
    const isEmpty = step.status === 'success' && KINDS_OF_ROWS.includes(step.kind);
    const isCounted = moved > 0 || step.rows_deleted > 0 || isEmpty;
    return [
      step.step_id,
      step.kind,
      step.status,
      ...shown.map((name) => (isCounted ? formatCount(step[name]) : '')),
      formatSeconds(ms),
      moved > 0 && ms > 0 ? formatCount((moved * 1_000) / ms) : '',
    ];
  });
  return layOutTable([head, ...rows], TEXT_COLUMNS);
}

/** Why steps failed that the run went on without; the one that ended it is told at the end. */
function allowedLines({ steps, failure }: RunOutcome): string[] {
  return steps.flatMap(({ step_id, status, error }) => {
    const isTold = step_id === failure?.step_id || error === failure?.message;
    return status !== 'error' || error === '' || isTold ? [] : [printable(`${step_id}: ${error}`)];
  });
}

/** A table of the steps, one of the outputs, and how the run has ended. */
export function printOutcome(outcome: RunOutcome, out: CommandOutput): void {
  for (const line of stepLines(outcome.steps)) out.line(line);
  for (const line of allowedLines(outcome)) out.line(line);
  for (const { step_id, cursor } of outcome.steps) {
    if (cursor === null) continue;
    const { from, to } = cursor;
    const span = to === null ? 'no rows' : `up to ${printable(String(to))}`;
    out.line(`${step_id}: from ${from === null ? 'the beginning' : printable(String(from))}, ${span}`);
  }
  for (const line of verificationLines(outcome.steps)) out.line(line);
  const { failure, status, outputs } = outcome;
  if (outputs !== null) for (const line of outputLines(outputs)) out.line(line);
  const place = failure === null || failure.step_id === '' ? '' : ` in the step "${failure.step_id}"`;
  const why = failure === null ? '' : `${place}: ${printable(failure.message)} (${failure.code})`;
  const style: Style = status === 'success' ? 'green' : status === 'error' ? 'red' : 'yellow';
  out.line(`\n${out.paint(style, status)}${why}`);
}
