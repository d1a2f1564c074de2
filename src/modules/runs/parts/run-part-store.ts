import { type Selectable, sql } from 'kysely';
import type { EndedPart, PartsOffer } from '../../../base/run-parts.ts';
import type { StepResult } from '../../../base/run-report.ts';
import type { Dialect } from '../../../store/dialect.ts';
import type { Schema } from '../../../store/schema.ts';
import { storableText } from '../../../store/storable-text.ts';
import type { Db, Tx } from '../../../store/store.ts';
import { IS_ACTIVE, type RunRow } from '../run.ts';

type PlanRow = Selectable<Schema['run_part_plans']>;

/** Rows of one INSERT: below the engines' limits of bound values. */
const PARTS_PER_INSERT = 50;
const LABEL_CHARS_MAX = 500;
const ERROR_CHARS_MAX = 16_384;

/** The step of a run whose parts are meant. */
export interface PartsOf {
  readonly run_id: number;
  readonly step_id: string;
}

/** Who takes or has a part: a run under its lease. */
export type PartHolder = Pick<RunRow, 'id' | 'epoch' | 'executor_id'>;

/** Locked, so that whoever asks for parts of one step does so one after another. */
export async function lockPartPlan(
  tx: Tx,
  dialect: Dialect,
  { run_id, step_id }: PartsOf,
): Promise<PlanRow | null> {
  const query = tx
    .selectFrom('run_part_plans')
    .selectAll()
    .where('run_id', '=', run_id)
    .where('step_id', '=', step_id);
  return (await query.modifyEnd(dialect.forUpdate).executeTakeFirst()) ?? null;
}

/** In the place of what an earlier attempt offered; all of its parts are open, with their takes counted on. */
export async function replaceParts(
  tx: Tx,
  of: PartsOf,
  epoch: number,
  { digest, labels, order }: PartsOffer,
): Promise<void> {
  const { run_id, step_id } = of;
  const took = await tx
    .selectFrom('run_parts')
    .select((eb) => eb.fn.max('take').as('take'))
    .where('run_id', '=', run_id)
    .where('step_id', '=', step_id)
    .executeTakeFirst();
  await tx.deleteFrom('run_parts').where('run_id', '=', run_id).where('step_id', '=', step_id).execute();
  await tx.deleteFrom('run_part_plans').where('run_id', '=', run_id).where('step_id', '=', step_id).execute();
  const order_json = order === null ? null : JSON.stringify(order);
  await tx
    .insertInto('run_part_plans')
    .values({ ...of, epoch, digest, order_json, is_open: 1 })
    .execute();
  const rows = labels.map((label, index) => ({
    ...of,
    number: index + 1,
    label: storableText(label, LABEL_CHARS_MAX),
    state: 'open',
    take: took?.take ?? 0,
    own_only: 0,
    rows: 0,
    error: '',
  }));
  for (let at = 0; at < rows.length; at += PARTS_PER_INSERT)
    await tx
      .insertInto('run_parts')
      .values(rows.slice(at, at + PARTS_PER_INSERT))
      .execute();
}

/** What this holder was given and does not work on any more, such as where an answer was lost, is open again. */
export async function freeLost(
  tx: Tx,
  { run_id, step_id }: PartsOf,
  holder: PartHolder,
  holding: readonly number[],
): Promise<void> {
  const query = tx
    .updateTable('run_parts')
    .set({ state: 'open' })
    .where('run_id', '=', run_id)
    .where('step_id', '=', step_id)
    .where('state', '=', 'taken')
    .where('holder_run_id', '=', holder.id)
    .where('holder_epoch', '=', holder.epoch);
  await (holding.length === 0 ? query : query.where('number', 'not in', holding)).execute();
}

/**
 * The next part that is open, or whose holder has lost its lease, for this holder; null where there is none. `isOwn`: the run
 * itself asks, which also takes what failed elsewhere.
 */
export async function takePart(
  tx: Tx,
  { run_id, step_id }: PartsOf,
  holder: PartHolder,
  { isOwn, now }: { readonly isOwn: boolean; readonly now: number },
): Promise<{ readonly number: number; readonly take: number } | null> {
  const lost = sql<boolean>`state = 'taken' and holder_run_id <> ${holder.id} and not exists (
    select 1 from runs where runs.id = run_parts.holder_run_id and runs.epoch = run_parts.holder_epoch
      and runs.status in ('running', 'cancelling') and runs.lease_expires_at >= ${now})`;
  const found = await tx
    .selectFrom('run_parts')
    .select(['number', 'take'])
    .where('run_id', '=', run_id)
    .where('step_id', '=', step_id)
    .where((eb) => eb.or([eb('state', '=', 'open'), lost]))
    .where('own_only', '<=', isOwn ? 1 : 0)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst();
  if (found === undefined) return null;
  const part = { number: found.number, take: found.take + 1 };
  await tx
    .updateTable('run_parts')
    .set({
      state: 'taken',
      take: part.take,
      holder_run_id: holder.id,
      holder_epoch: holder.epoch,
      executor_id: holder.executor_id,
      rows: 0,
      steps_json: null,
      started_at: now,
      ended_at: null,
    })
    .where('run_id', '=', run_id)
    .where('step_id', '=', step_id)
    .where('number', '=', part.number)
    .execute();
  return part;
}

/** Ends a part for its holder. Nothing happens where somebody else has taken it since. */
export async function endPart(
  tx: Tx,
  { run_id, step_id }: PartsOf,
  holder: PartHolder,
  ended: EndedPart,
  { isOwn, now }: { readonly isOwn: boolean; readonly now: number },
): Promise<'staged' | 'failed' | 'not held'> {
  const failed = ended.error !== '';
  const result = await tx
    .updateTable('run_parts')
    .set({
      // What fails elsewhere may be the executor's fault: the run itself decides.
      state: failed ? (isOwn ? 'failed' : 'open') : 'staged',
      own_only: failed ? 1 : 0,
      rows: failed ? 0 : ended.rows,
      error: storableText(ended.error, ERROR_CHARS_MAX),
      steps_json: failed || isOwn ? null : JSON.stringify(ended.steps),
      ended_at: now,
    })
    .where('run_id', '=', run_id)
    .where('step_id', '=', step_id)
    .where('number', '=', ended.number)
    .where('state', '=', 'taken')
    .where('take', '=', ended.take)
    .where('holder_run_id', '=', holder.id)
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return 'not held';
  return failed ? 'failed' : 'staged';
}

export async function countLeft(db: Db, { run_id, step_id }: PartsOf): Promise<number> {
  const { left } = await db
    .selectFrom('run_parts')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('run_id', '=', run_id)
    .where('step_id', '=', step_id)
    .where('state', '<>', 'staged')
    .executeTakeFirstOrThrow();
  return Number(left);
}

/** The parts that others than the run itself have staged. */
export async function selectOthers(db: Db, { run_id, step_id }: PartsOf): Promise<EndedPart[]> {
  const rows = await db
    .selectFrom('run_parts')
    .select(['number', 'take', 'rows', 'steps_json'])
    .where('run_id', '=', run_id)
    .where('step_id', '=', step_id)
    .where('state', '=', 'staged')
    .where('holder_run_id', '<>', run_id)
    .orderBy('number')
    .execute();
  return rows.map(({ steps_json, ...part }) => ({
    ...part,
    error: '',
    steps: steps_json === null ? [] : (JSON.parse(steps_json) as StepResult[]),
  }));
}

/** No part of this step is given out any more; of all steps of the run without one. */
export async function closeParts(tx: Tx, runId: number, stepId: string | null = null): Promise<void> {
  const query = tx
    .updateTable('run_part_plans')
    .set({ is_open: 0, order_json: null })
    .where('run_id', '=', runId);
  await (stepId === null ? query : query.where('step_id', '=', stepId)).execute();
}

/** What a run that helps needs to know, as long as its parts are open. */
export async function selectPartOrder(db: Db, { run_id, step_id }: PartsOf) {
  const row = await db
    .selectFrom('run_part_plans')
    .innerJoin('runs', 'runs.id', 'run_part_plans.run_id')
    .select(['runs.attempt', 'run_part_plans.order_json'])
    .where('run_part_plans.run_id', '=', run_id)
    .where('run_part_plans.step_id', '=', step_id)
    .where('run_part_plans.is_open', '=', 1)
    .whereRef('run_part_plans.epoch', '=', 'runs.epoch')
    .executeTakeFirst();
  if (row === undefined || row.order_json === null) return null;
  return { attempt: row.attempt, order: JSON.parse(row.order_json) as unknown };
}

/** Runs that help this one and have not ended, in the order of their ids. */
export async function selectHelperIds(db: Db, runId: number): Promise<number[]> {
  const query = db.selectFrom('runs').select('id').where('helps_run_id', '=', runId).where(IS_ACTIVE);
  return (await query.orderBy('id').execute()).map(({ id }) => id);
}

/** The run, locked, unless somebody else has locked it just now. */
export async function tryLockRun(tx: Tx, dialect: Dialect, id: number): Promise<number | null> {
  const query = tx.selectFrom('runs').select('id').where('id', '=', id);
  return (await query.modifyEnd(dialect.skipLocked).executeTakeFirst())?.id ?? null;
}

export async function setHelpers(tx: Tx, runId: number, helpers: number): Promise<void> {
  await tx.updateTable('runs').set({ helpers }).where('id', '=', runId).execute();
}

/** Of a run for an answer, by step and number; the executor by its name. */
export async function selectParts(db: Db, runId: number) {
  return db
    .selectFrom('run_parts')
    .leftJoin('executors', 'executors.id', 'run_parts.executor_id')
    .select([
      'run_parts.step_id',
      'run_parts.number',
      'run_parts.label',
      'run_parts.state',
      'run_parts.take',
      'run_parts.holder_run_id',
      'executors.name as executor',
      'run_parts.rows',
      'run_parts.error',
      'run_parts.started_at',
      'run_parts.ended_at',
    ])
    .where('run_parts.run_id', '=', runId)
    .orderBy('run_parts.step_id')
    .orderBy('run_parts.number')
    .execute();
}
