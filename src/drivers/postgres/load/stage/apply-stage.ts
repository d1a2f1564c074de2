import type { ClientBase } from 'pg';
import type { WriteRequest } from '../../../driver.ts';
import { quoteList } from '../../../sql/identifier.ts';
import { deleteMatching } from '../../../sql/load/delete-matching.ts';
import { deleteMissing } from '../../../sql/load/delete-missing.ts';
import { keepVersions } from '../../../sql/load/keep-versions.ts';
import { findTable, ownRows, type PostgresTable, type TableName } from '../../introspect.ts';
import { pgSession } from '../pg-session.ts';
import { mergeStage } from './merge-stage.ts';
import { orderColumn } from './stage-columns.ts';

/** Rows on their way through a stage. */
export interface StagedRows {
  /** The target; null while it does not exist. */
  readonly target: PostgresTable | null;
  /** The table that takes the rows: the target of an append, else a stage. */
  readonly table: PostgresTable;
  /** Columns that the rows have given so far. */
  readonly given: ReadonlySet<string>;
  /** Rows of stages before this one that were there already and were left alone. */
  readonly left: number;
  /** Rows of stages before this one that the target dropped. */
  readonly dropped: number;
  /** The keys that came, where others may be missing, but for those in the stage; null while there are none. */
  readonly seen: string | null;
}

type Applied = Pick<StagedRows, 'left' | 'dropped' | 'seen'>;

/** Gives the rows of the stage to the target; gives how many changed nothing by now, and the keys that came. */
export async function applyStage(
  client: ClientBase,
  request: WriteRequest,
  { target, table, given, left, dropped, seen }: StagedRows,
  isComplete = false,
): Promise<Applied> {
  if (target === null) return { left, dropped, seen };
  const { mode, key, object, versions, missing = null } = request;
  const stage = table.name;
  const session = pgSession(client);
  let lost = 0;
  const onDropped = (rows: number) => {
    lost = rows;
  };
  const told = target.mayDrop ? onDropped : undefined;
  if (mode === 'delete') {
    const tables = { target: ownRows(target), stage: stage.sql, key };
    const unfound = await deleteMatching(session, tables, told);
    return { left: left + unfound, dropped: dropped + lost, seen };
  }
  if (versions) {
    const unchanged = await keepVersions(session, {
      target: target.name.sql,
      own: ownRows(target),
      stage: stage.sql,
      order: orderColumn,
      columns: [...given],
      key,
      versions,
      object,
      presentAt: isComplete && missing !== null ? missing.at : null,
      ...(told !== undefined && { onDropped: told }),
    });
    return { left: left + unchanged, dropped: dropped + lost, seen: stage.sql };
  }
  const keys = `SELECT ${quoteList(key)} FROM ${stage.sql}`;
  if (missing !== null && seen !== null) await session.change(`INSERT INTO ${seen} ${keys}`);
  const all = missing === null ? null : (seen ?? (await session.keep(keys)));
  const merge = { target, stage, columns: [...given], key, changesRows: mode !== 'insert_only' };
  const merged = await mergeStage(client, merge);
  return { left: left + merged.left, dropped: dropped + merged.dropped, seen: all };
}

/** The place with its stage's rows in the target, and the stage empty. */
export async function settleStage<P extends StagedRows>(
  client: ClientBase,
  request: WriteRequest,
  place: P,
): Promise<P> {
  const applied = await applyStage(client, request, place);
  await client.query(`TRUNCATE ${place.table.name.sql}`);
  return { ...place, ...applied };
}

/** Takes away the rows of the target whose key did not come; gives how many. */
export async function takeMissing(
  client: ClientBase,
  { key, object, versions = null, missing }: WriteRequest,
  name: TableName,
  seen: string | null,
): Promise<number> {
  const table = missing ? await findTable(client, name) : null;
  if (!missing || table === null) return 0;
  const target = { target: name.sql, own: ownRows(table) };
  return deleteMissing(pgSession(client), { ...target, seen, key, missing, versions, object });
}
