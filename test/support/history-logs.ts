import type { Kysely } from 'kysely';
import { loadLine } from '../../bench/support/load-lines.ts';
import type { LoadRecord } from '../../bench/support/load-record.ts';
import { canonicalJson } from '../../src/base/json.ts';
import { createRedactor } from '../../src/base/text/redactor.ts';
import type { LogSchema } from '../../src/store/schema.ts';
import { attemptKey, groupOf, recordsOf, refuse } from './history-records.ts';
import { readableLine } from './log-lines.ts';

export interface StoredLine {
  readonly attempt: number;
  readonly seq: number;
  readonly at: string;
  readonly level: string;
  readonly step_id: string | null;
  readonly message: string;
  readonly fields: unknown;
}

/** I1: the lines of every attempt are 1..n without a gap, and n is what was acknowledged. What retention or a quota took counts. */
export async function checkLogs(logs: Kysely<LogSchema>): Promise<void> {
  const problems: string[] = [];
  const found = await logs
    .selectFrom('run_logs')
    .select((eb) => [
      'run_id',
      'attempt',
      eb.fn.min<number>('seq').as('first'),
      eb.fn.max<number>('seq').as('last'),
      eb.fn.countAll<number>().as('lines'),
    ])
    .groupBy(['run_id', 'attempt'])
    .execute();
  const cursors = await logs.selectFrom('run_log_cursors').selectAll().execute();
  const open = new Map(cursors.map((row) => [`${row.run_id}/${row.attempt}`, row]));
  for (const row of found) {
    const key = `${row.run_id}/${row.attempt}`;
    const cursor = open.get(key);
    const [end, dropped] = [cursor?.acked_seq ?? 0, cursor?.dropped ?? 0];
    const first = (cursor?.pruned_seq ?? 0) + 1;
    const whole = row.last === end && Number(row.lines) === end - first + 1;
    // Beyond a quota one line stands for all that were not kept.
    const cut = dropped > 0 && row.last <= end && Number(row.lines) >= row.last - first;
    if (row.first !== first || !(whole || cut))
      problems.push(`log ${key}: ${row.lines} lines from ${row.first} to ${row.last}, acknowledged ${end}`);
    open.delete(key);
  }
  for (const [key, { acked_seq, pruned_seq }] of open)
    if (acked_seq > pruned_seq) problems.push(`log ${key}: no line, acknowledged ${acked_seq}`);
  refuse('The log is broken', problems);
}

export interface LogProof {
  readonly seed: number;
  readonly secret?: string | null;
  /** All lines of a run, in order, as a reader of the API gets them. */
  readonly linesOf: (runId: number) => Promise<readonly StoredLine[]>;
}

/**
 * I1, from both ends: every line that an executor was told is durable is there once, in order, with the content that was sent
 * (its secrets redacted), and nothing is there that was never sent. Returns how many lines were compared.
 */
export async function checkLogContents(records: readonly LoadRecord[], proof: LogProof): Promise<number> {
  const problems: string[] = [];
  const sent = highest(recordsOf(records, 'sending'));
  const acked = highest(recordsOf(records, 'acked'));
  const secret = proof.secret ?? null;
  const redactor = createRedactor(secret === null ? [] : [secret]);
  const compare = (runId: number, line: StoredLine) => {
    const sentLine = loadLine(proof.seed, runId, line.attempt, line.seq, secret);
    const wanted = redactor.value(readableLine(sentLine));
    const found = {
      at: Date.parse(line.at),
      level: line.level,
      step_id: line.step_id ?? '',
      message: line.message,
      fields: line.fields,
    };
    if (canonicalJson(found) !== canonicalJson(wanted))
      problems.push(
        `run ${runId}/${line.attempt}, line ${line.seq}: is not what was sent: ${canonicalJson(found).slice(0, 200)}`,
      );
  };
  let count = 0;
  for (const runId of new Set(recordsOf(records, 'sending').map((each) => each.run))) {
    const stored = await proof.linesOf(runId);
    const last = new Map<string, number>();
    for (const line of stored) {
      const key = `${runId}/${line.attempt}`;
      if (line.seq !== (last.get(key) ?? 0) + 1)
        problems.push(`run ${key}: line ${line.seq} comes after ${last.get(key) ?? 0}`);
      last.set(key, line.seq);
      compare(runId, line);
    }
    count += stored.length;
    for (const [key, to] of sent) {
      if (!key.startsWith(`${runId}/`)) continue;
      const [end, durable] = [last.get(key) ?? 0, acked.get(key) ?? 0];
      if (end < durable) problems.push(`run ${key}: acknowledged to ${durable}, stored to ${end}`);
      if (end > to) problems.push(`run ${key}: stored to ${end}, sent to ${to}`);
    }
  }
  refuse('Logs are not what was acknowledged', problems);
  return count;
}

function highest(
  records: readonly { readonly run: number; readonly attempt: number; readonly to: number }[],
): Map<string, number> {
  const groups = groupOf(records, attemptKey);
  return new Map([...groups].map(([key, group]) => [key, Math.max(...group.map((each) => each.to))]));
}
