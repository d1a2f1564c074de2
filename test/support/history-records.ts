import type { LoadRecord } from '../../bench/support/load-record.ts';
import { isActive } from '../../src/modules/runs/run.ts';
import type { Db } from '../../src/store/store.ts';

type Of<K extends LoadRecord['kind']> = Extract<LoadRecord, { kind: K }>;

/** Records of one kind, in the order of their files. */
export function recordsOf<K extends LoadRecord['kind']>(records: readonly LoadRecord[], kind: K): Of<K>[] {
  return records.filter((record): record is Of<K> => record.kind === kind);
}

export function groupOf<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

export const attemptKey = ({ run, attempt }: { readonly run: number; readonly attempt: number }) =>
  `${run}/${attempt}`;

export function refuse(title: string, problems: readonly string[]): void {
  const shown = problems.slice(0, 30);
  const more = problems.length > shown.length ? `\n… and ${problems.length - shown.length} more` : '';
  if (problems.length > 0) throw new Error(`${title}:\n${shown.join('\n')}${more}`);
}

/** Nothing happened that an executor saw itself to be wrong. */
export function checkViolations(records: readonly LoadRecord[]): void {
  const problems = recordsOf(records, 'violation').map((each) => `run ${attemptKey(each)}: ${each.text}`);
  refuse('Executors were answered what they must not be', problems);
}

/**
 * I3, from both ends: what an executor was told is completed is completed, once, with the status that it sent, and stays so.
 * Accepted twice, forgotten, or overwritten: each is found.
 */
export async function checkCompletions(db: Db, records: readonly LoadRecord[]): Promise<void> {
  const problems: string[] = [];
  const runs = new Map((await db.selectFrom('runs').selectAll().execute()).map((run) => [run.id, run]));
  const rows = await db.selectFrom('run_attempts').selectAll().execute();
  const attempts = new Map(rows.map((row) => [`${row.run_id}/${row.attempt}`, row]));
  const sent = groupOf(recordsOf(records, 'completing'), (each) => `${attemptKey(each)}/${each.epoch}`);
  const answers = recordsOf(records, 'completed');
  for (const [key, all] of groupOf(answers, attemptKey)) {
    const accepted = all.filter((each) => each.outcome === 'ACCEPTED');
    if (accepted.length > 1)
      problems.push(`run ${key}: its completion was accepted ${accepted.length} times`);
  }
  for (const answer of answers) {
    if (answer.outcome !== 'ACCEPTED' && answer.outcome !== 'ALREADY_DONE') continue;
    const key = attemptKey(answer);
    const say = (text: string) => problems.push(`run ${key}: completed for its executor, but ${text}`);
    const completion = sent.get(`${key}/${answer.epoch}`)?.[0];
    const attempt = attempts.get(key);
    const run = runs.get(answer.run);
    if (completion === undefined || run === undefined) say('there is no such run');
    else if (attempt === undefined) say('there is no such attempt');
    else {
      if (attempt.outcome !== completion.status) say(`the attempt is "${attempt.outcome}"`);
      if (attempt.last_log_seq !== completion.lastSeq) say(`its log ends at ${attempt.last_log_seq}`);
      const isLast = !completion.retryable;
      if (isLast && isActive(run.status)) say(`the run is "${run.status}"`);
      if (isLast && run.attempt !== answer.attempt) say(`the run went on to attempt ${run.attempt}`);
      if (isLast && !isActive(run.status) && run.status !== completion.status)
        say(`the run ended as "${run.status}", not "${completion.status}"`);
    }
  }
  refuse('Completions are not what executors were told', problems);
}

/**
 * I4: nothing that was sent under a lease after a newer one had arrived somewhere was accepted. Checkpoints, which are writes
 * too, have each version once, and the newest is there.
 */
export async function checkFences(db: Db, records: readonly LoadRecord[]): Promise<void> {
  const problems: string[] = [];
  const assigned = groupOf(recordsOf(records, 'assigned'), (each) => String(each.run));
  const writes = [
    ...recordsOf(records, 'acked'),
    ...recordsOf(records, 'checkpoint'),
    ...recordsOf(records, 'completed').filter((each) => each.outcome === 'ACCEPTED'),
  ];
  for (const write of writes) {
    const newer = assigned
      .get(String(write.run))
      ?.find((each) => each.epoch > write.epoch && each.at < write.sentAt);
    if (newer === undefined) continue;
    const late = write.sentAt - newer.at;
    problems.push(
      `run ${attemptKey(write)}: ${write.kind} accepted under epoch ${write.epoch}, sent ${late} ms after epoch ${newer.epoch} had been assigned`,
    );
  }
  for (const [run, leases] of assigned) {
    for (const [epoch, same] of groupOf(leases, (each) => String(each.epoch)))
      if (same.length > 1) problems.push(`run ${run}: epoch ${epoch} was assigned ${same.length} times`);
  }
  await checkCheckpoints(db, records, problems);
  refuse('Older leases wrote after newer ones', problems);
}

async function checkCheckpoints(db: Db, records: readonly LoadRecord[], problems: string[]): Promise<void> {
  const rows = await db.selectFrom('runs').select(['id', 'job_id', 'task_key']).execute();
  const places = new Map(rows.map((row) => [row.id, `${row.job_id}/${row.task_key ?? ''}`]));
  const states = await db.selectFrom('job_states').selectAll().execute();
  const versions = new Map(
    states.map((row) => [`${row.job_id}/${row.task_key}/${row.name}`, Number(row.version)]),
  );
  const saved = recordsOf(records, 'checkpoint').filter(
    (each) => !(places.get(each.run) ?? 'null').startsWith('null'),
  );
  for (const [place, group] of groupOf(saved, (each) => places.get(each.run) ?? '')) {
    const found = versions.get(`${place}/cursor`) ?? 0;
    const last = Math.max(...group.map((each) => each.version));
    if (found < last) problems.push(`job/task ${place}: version ${last} was saved, the store has ${found}`);
    for (const [version, same] of groupOf(group, (each) => String(each.version)))
      if (same.length > 1)
        problems.push(`job/task ${place}: version ${version} was saved ${same.length} times`);
  }
}
