import { type NodeState, reusedOf, rollUp } from '../../src/modules/job-runs/job-run.ts';
import { jobRunRows } from '../../src/modules/job-runs/job-run-store.ts';
import {
  ACTIVE_STATUSES,
  isActive,
  RUN_TRANSITIONS,
  type RunRow,
  type RunStatus,
} from '../../src/modules/runs/run.ts';
import { runRows } from '../../src/modules/runs/run-rows.ts';
import type { Db } from '../../src/store/store.ts';
import type { TemplateInfo } from '../../src/threads/messages/definition-info.ts';

type Problems = string[];

/**
 * Proves over a whole state store what no fault may break; throws with everything that is wrong. I3: exactly one terminal
 * state per run, last, reached by legal transitions. I4: attempts and epochs only grow, and no attempt is open but the leased
 * one. I5, where `lostBefore` is given: no lease ended before that time. Job runs end with their runs, and as those say; a
 * DAG node has one run.
 */
export async function checkHistory(db: Db, options: { readonly lostBefore?: number } = {}): Promise<void> {
  const problems: Problems = [];
  const runs = await runRows(db).orderBy('id').execute();
  const history = groupBy(await db.selectFrom('run_status_history').selectAll().orderBy('id').execute());
  const attempts = groupBy(await db.selectFrom('run_attempts').selectAll().orderBy('attempt').execute());
  for (const run of runs) {
    const say = (text: string) => problems.push(`run ${run.id} (${run.status}): ${text}`);
    checkTransitions(run, history.get(run.id) ?? [], say);
    checkAttempts(run, attempts.get(run.id) ?? [], say);
    checkLease(run, options.lostBefore, say);
  }
  await checkJobRuns(db, runs, problems);
  if (problems.length > 0) throw new Error(`The history is broken:\n${problems.join('\n')}`);
}

function groupBy<T extends { run_id: number }>(rows: readonly T[]): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const row of rows) groups.set(row.run_id, [...(groups.get(row.run_id) ?? []), row]);
  return groups;
}

interface Entry {
  readonly from_status: string | null;
  readonly to_status: string;
  readonly attempt: number;
}

function checkTransitions(run: RunRow, entries: readonly Entry[], say: (text: string) => void): void {
  let before: string | null = null;
  for (const { from_status: from, to_status: to } of entries) {
    if (from !== before) say(`its history goes on from "${from}" after "${before}"`);
    const legal: readonly string[] =
      from === null ? ['queued', 'skipped'] : RUN_TRANSITIONS[from as RunStatus];
    if (!legal.includes(to)) say(`"${from}" to "${to}" is not legal`);
    before = to;
  }
  if (before !== run.status) say(`its history ends with "${before}"`);
  const ends = entries.filter((entry) => !isActive(entry.to_status)).length;
  if (ends !== (isActive(run.status) ? 0 : 1)) say(`it has ended ${ends} times`);
  if (isActive(run.status) !== (run.ended_at === null)) say(`ended_at is ${run.ended_at}`);
}

interface Attempt {
  readonly attempt: number;
  readonly epoch: number;
  readonly lease_token: string;
  readonly ended_at: number | null;
}

function checkAttempts(run: RunRow, attempts: readonly Attempt[], say: (text: string) => void): void {
  let epoch = 0;
  attempts.forEach((row, index) => {
    if (row.attempt !== index + 1) say(`attempt ${row.attempt} comes where ${index + 1} should`);
    if (row.epoch <= epoch) say(`attempt ${row.attempt} has the epoch ${row.epoch}, not above ${epoch}`);
    epoch = row.epoch;
    const leased =
      row.attempt === run.attempt && row.epoch === run.epoch && row.lease_token === run.lease_token;
    const open = row.ended_at === null;
    const held = leased && (run.status === 'running' || run.status === 'cancelling');
    if (open !== held) say(`attempt ${row.attempt} is ${open ? 'open' : 'closed'}`);
  });
  if (epoch > run.epoch) say(`an attempt has the epoch ${epoch}, above the run's ${run.epoch}`);
  if (attempts.length !== run.attempt) say(`it counts ${run.attempt} attempts and has ${attempts.length}`);
}

function checkLease(run: RunRow, lostBefore: number | undefined, say: (text: string) => void): void {
  const leased = run.status === 'running' || run.status === 'cancelling';
  if (leased && (run.lease_token === null || run.lease_expires_at === null)) say('it has no lease');
  if (!leased && run.lease_expires_at !== null) say('it still has a lease');
  if (run.status === 'queued' && run.lease_token !== null) say('it waits and has a lease token');
  if (leased && lostBefore !== undefined && (run.lease_expires_at ?? 0) < lostBefore)
    say(`its lease has ended ${lostBefore - (run.lease_expires_at ?? 0)} ms before what is allowed`);
}

async function checkJobRuns(db: Db, runs: readonly RunRow[], problems: Problems): Promise<void> {
  const slots = new Map<string, { taken: number; limit: number }>();
  for (const row of await jobRunRows(db).execute()) {
    const say = (text: string) => problems.push(`job run ${row.id} (${row.status}): ${text}`);
    const mine = runs.filter((run) => run.job_run_id === row.id);
    const keys = mine.map((run) => run.task_key);
    if (new Set(keys).size !== keys.length) say(`a node has several runs: ${keys.join(', ')}`);
    const plan = JSON.parse(row.parsed_json) as TemplateInfo;
    const reused = reusedOf(row);
    for (const [key, { status }] of Object.entries(reused)) {
      if (isActive(status)) say(`the node "${key}" takes the outcome of a run that had not ended`);
      if (keys.includes(key)) say(`the node "${key}" was reused and has a run`);
      if (row.rerun_of === null) say('it reuses nodes and is no rerun');
    }
    const ended = !(ACTIVE_STATUSES as readonly string[]).includes(row.status);
    if (ended !== (row.ended_at !== null)) say(`ended_at is ${row.ended_at}`);
    const held = row.held_reason !== null;
    if (held && (row.status !== 'queued' || mine.length > 0)) say('it waits for a slot and has begun');
    if (!ended && !held && row.concurrency_key !== null) {
      const slot = slots.get(row.concurrency_key) ?? { taken: 0, limit: 0 };
      const limit = Math.max(slot.limit, plan.concurrency?.limit ?? 0);
      slots.set(row.concurrency_key, { taken: slot.taken + 1, limit });
    }
    const states = new Map<string, NodeState>(Object.entries(reused));
    for (const run of mine) states.set(run.task_key ?? '', run);
    const due = held ? null : rollUp(plan, states);
    if (due !== null && !ended) say(`all its nodes have ended as "${due}"`);
    const stopped = row.status === 'cancelled' || (row.status === 'error' && row.reason === 'timeout');
    if (ended && !stopped && due !== row.status) say(`its nodes say "${due}"`);
    if (ended && mine.some((run) => isActive(run.status))) say('it has ended before its runs');
  }
  for (const [key, { taken, limit }] of slots)
    if (taken > limit) problems.push(`${taken} job runs have the ${limit} slots of "${key}"`);
}
