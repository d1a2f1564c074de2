import type { Clock } from '../../base/clock.ts';
import { AppError, type Problem } from '../../base/errors.ts';
import { parseJsonText } from '../../base/text/parse-json-text.ts';
import type { ReplayRows } from '../../protocol/control-plane.ts';
import { selectNow } from '../../store/select-now.ts';
import type { Db, Store, Tx } from '../../store/store.ts';
import type { Actor } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import type { NewRun, RunRow } from '../runs/run.ts';
import { insertRun } from '../runs/run-store.ts';
import { type DeadLetterOwner, ownerStatus, requireOwner } from './dead-letter-owner.ts';
import {
  countOpenLetters,
  lockOpenLetters,
  lockOwners,
  markReplaying,
  type OpenLetter,
  selectOpenLetters,
  selectReplayItems,
  selectReplayLetters,
  updateReplayItems,
} from './dead-letter-replay-store.ts';
import { type ReplayGroup, type ReplaySources, replayGroups, type TaskNow } from './replay-groups.ts';

/** Letters of one call; the rest is left to the next. */
export const REPLAY_LETTERS_MAX = 10_000;
/** Length of their rows' JSON together. */
export const REPLAY_CHARS_MAX = 16 * 1_024 * 1_024;
/** Letters that an error names. */
const NAMED_MAX = 20;

/**
 * Whether a replay of rows at this step can be made of the task, which runs `tasks` by these names, and why not; parsed in the worker
 * host.
 */
export type CheckReplay = (
  yaml: string,
  stepId: string,
  tasks: Readonly<Record<string, string>>,
) => Promise<{ ok: true } | { ok: false; message: string }>;

export interface DeadLetterReplaysDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly wakeQueue: () => void;
  readonly checkReplay: CheckReplay;
  /** What the job would run for this node now. */
  readonly taskNow: TaskNow;
}

export interface ReplayInput {
  /** null: all that are open, or, where `rows` are given, those. */
  readonly ids: readonly number[] | null;
  /** JSON of rows that replace the stored ones, by their letters. */
  readonly rows: ReadonlyMap<number, string>;
  /** Of all open ones only those with this code. */
  readonly code?: string | undefined;
  /** `snapshot`: the version that refused the row. `current`: what the job or the task has now. */
  readonly use: 'snapshot' | 'current';
}

export interface Replayed {
  readonly runs: readonly RunRow[];
  /** Letters that were given to them. */
  readonly replaying: number;
  /** Open letters of the owner that are left. */
  readonly left: number;
}

export type DeadLetterReplays = ReturnType<typeof createDeadLetterReplays>;

/** Starts runs that give dead letters to the step that refused them once more. */
export function createDeadLetterReplays(deps: DeadLetterReplaysDeps) {
  const { store, clock, wakeQueue, taskNow } = deps;

  /** One run for each task, version and step of the letters. `CONFLICT` where one of them cannot be replayed: nothing is started. */
  async function replay(of: DeadLetterOwner, input: ReplayInput, actor: Actor): Promise<Replayed> {
    await requireOwner(store.read, of);
    requireReady(of, await ownerStatus(store.read, of));
    const letters = await chosenLetters(store, of, input);
    const sources: ReplaySources = { db: store.read, taskNow };
    const groups = await replayGroups(sources, letters, input.use);
    await requireReplayable(groups);
    const replayed = await store.write((tx) => start(tx, of, groups, input, actor), 'dead-letter-replay');
    wakeQueue();
    return replayed;
  }

  async function requireReplayable(groups: readonly ReplayGroup[]): Promise<void> {
    const details: Problem[] = [];
    for (const { run, stepId, letters } of groups) {
      const tasks = Object.fromEntries((run.tasks ?? []).map((task) => [task.name, task.yaml_content]));
      const check = await deps.checkReplay(run.yaml_content, stepId, tasks);
      if (!check.ok) details.push({ path: `dead_letters.${letters[0]?.id}`, message: check.message });
    }
    const [first] = details;
    if (first !== undefined)
      throw new AppError('CONFLICT', `${first.message}. Nothing was started`, { details });
  }

  async function start(
    tx: Tx,
    of: DeadLetterOwner,
    groups: readonly ReplayGroup[],
    { ids, rows, code, use }: ReplayInput,
    actor: Actor,
  ): Promise<Replayed> {
    const jobs = groups.flatMap(({ run }) => (run.job_id === null ? [] : [run.job_id]));
    const sources = groups.flatMap(({ letters }) => letters.map((letter) => letter.run_id));
    await lockOwners(tx, store.dialect, [...new Set(jobs)], [...new Set(sources)]);
    const now = await selectNow(tx, store.dialect);
    const named = ids !== null || rows.size > 0;
    const runs: RunRow[] = [];
    let replaying = 0;
    for (const { run, stepId, letters } of groups) {
      const all = letters.map((letter) => letter.id);
      const open = await lockOpenLetters(tx, store.dialect, all);
      if (named && open.length < all.length) throw notOpen(all.filter((id) => !open.includes(id)));
      if (open.length === 0) continue;
      const row = await insertRun(tx, replayRun(run, stepId, open.length), now);
      const marked = await markReplaying(tx, store.dialect, open, row.id);
      if (marked !== open.length) throw new Error('a locked dead letter has changed');
      const fixed = open.flatMap((id) => {
        const json = rows.get(id);
        return json === undefined ? [] : [{ id, json }];
      });
      await updateReplayItems(tx, store.dialect, row.id, fixed);
      runs.push(row);
      replaying += open.length;
    }
    if (runs.length === 0) throw nothingOpen();
    const diff = { runs: runs.map((row) => row.id), replaying, fixed: rows.size, ...(code && { code }), use };
    await insertAudit(tx, actor, { action: 'dead_letter.replay', ...resourceOf(of), diff }, clock.now());
    return { runs, replaying, left: await countOpenLetters(tx, of, code) };
  }

  return { replay };
}

/** A replay's guard: a control plane of the release before does not say what is replayed, and the run is skipped. */
const GUARD = '$exists(run.replay)';

function replayRun(run: NewRun, stepId: string, letters: number): NewRun {
  return { ...run, args: { ...run.args, when: GUARD }, replay: { step_id: stepId, letters } };
}

function requireReady(of: DeadLetterOwner, status: string | null): void {
  if (status === null) return;
  const what = of.run_id === undefined ? `The job "${of.job_id}"` : `The run "${of.run_id}"`;
  const advice = of.run_id === undefined ? 'activate it first' : 'wait for its end, or cancel it';
  throw new AppError('CONFLICT', `${what} is ${status}: ${advice}`);
}

/** As many as one call may take, oldest first. `CONFLICT` where one that is named is not open, or its row was not kept whole. */
async function chosenLetters(
  store: { readonly read: Db; readonly dialect: Store['dialect'] },
  of: DeadLetterOwner,
  input: ReplayInput,
): Promise<OpenLetter[]> {
  const named =
    input.ids === null && input.rows.size === 0
      ? null
      : [...new Set([...(input.ids ?? []), ...input.rows.keys()])];
  const found = await selectOpenLetters(
    store.read,
    store.dialect,
    of,
    { ids: named, code: input.code },
    REPLAY_LETTERS_MAX,
  );
  if (named !== null) {
    const open = new Set(found.map((letter) => letter.id));
    const others = named.filter((id) => !open.has(id));
    if (others.length > 0) throw notOpen(others);
  }
  if (found.length === 0) throw nothingOpen();
  const letters = withinChars(found, input.rows);
  const malformed = letters.filter((letter) => letter.malformed === 1 && !input.rows.has(letter.id));
  if (malformed.length > 0)
    throw new AppError(
      'CONFLICT',
      `The dead letters ${quoted(malformed.map(({ id }) => id))} are records that could not be read: give their rows in "items", or discard them`,
    );
  const spoilt = letters.filter(({ id, cut, masked }) => (cut === 1 || masked === 1) && !input.rows.has(id));
  if (spoilt.length > 0)
    throw new AppError(
      'CONFLICT',
      `The rows of the dead letters ${quoted(spoilt.map(({ id }) => id))} were not kept whole (too long, or a secret was removed): give them in "items", or discard them`,
    );
  return letters;
}

function withinChars(letters: readonly OpenLetter[], rows: ReplayInput['rows']): OpenLetter[] {
  let chars = 0;
  return letters.filter((letter, index) => {
    chars += rows.get(letter.id)?.length ?? letter.chars;
    return index === 0 || chars <= REPLAY_CHARS_MAX;
  });
}

function resourceOf({ run_id, job_id }: DeadLetterOwner) {
  return run_id === undefined
    ? ({ resourceType: 'job', resourceId: job_id ?? null } as const)
    : ({ resourceType: 'run', resourceId: run_id } as const);
}

function notOpen(ids: readonly number[]): AppError {
  return new AppError(
    'CONFLICT',
    `The dead letters ${quoted(ids)} are not open, or not of a run of yours that has ended: list those that are open`,
  );
}

function nothingOpen(): AppError {
  return new AppError('CONFLICT', 'No run that has ended has an open dead letter');
}

function quoted(ids: readonly number[]): string {
  const names = ids.slice(0, NAMED_MAX).map((id) => `"${id}"`);
  return ids.length > NAMED_MAX ? `${names.join(', ')} and ${ids.length - NAMED_MAX} more` : names.join(', ');
}

const PAGE_ROWS_MAX = 500;
/** Length of a page's JSON: in UTF-8 at most three times that, which one message of either binding holds. */
const PAGE_CHARS_MAX = 512 * 1_024;

/** The rows of a replay after the letter `after`, as many as a page may hold, at least one while there are any. */
export async function replayRowsAfter(db: Db, runId: number, after: number): Promise<ReplayRows> {
  const letters = await selectReplayLetters(db, runId, after, PAGE_ROWS_MAX);
  let chars = 0;
  let count = 0;
  for (const letter of letters) {
    chars += letter.chars;
    if (count > 0 && chars > PAGE_CHARS_MAX) break;
    count += 1;
  }
  if (count === 0) return { rows: [] };
  const items = await selectReplayItems(db, runId, after, count);
  return { rows: items.map(({ id, json }) => ({ letter_id: id, item: parseJsonText(json) })) };
}
