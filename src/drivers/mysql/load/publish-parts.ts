import { randomHex } from '../../../base/ids.ts';
import { EMPTYING_MODES, KEYED_MODES } from '../../../language/task/steps/load/load-step.ts';
import { ConnectorError } from '../../driver.ts';
import type { PartsRequest } from '../../load-request.ts';
import { quoteList } from '../../sql/identifier.ts';
import { findColumn, findTable, type MysqlTable, type TableName, tableName } from '../introspect.ts';
import type { Session } from '../session-pool.ts';
import { saveMark } from './load-marks.ts';
import { orderColumn, settle } from './merge-stage.ts';
import { setStageState, stageState } from './part-marks.ts';
import { emptyTable, isReplaceable, stagePrefix } from './replacing-load.ts';
import {
  addColumnsOf,
  again,
  asDeclared,
  requireSameTypes,
  requireUniqueKey,
  tableOptions,
} from './table/load-table.ts';
import { requireNoOtherRows } from './table/other-tables.ts';
import { changingTable } from './table/table-lock.ts';

export interface Publication {
  readonly request: PartsRequest;
  /** The target. */
  readonly name: TableName;
  readonly stage: TableName;
  /** Under which the publication is marked. */
  readonly loadId: string;
  /** How many rows the stage has by its marks. */
  readonly rows: number;
}

/**
 * Gives the rows of the stage to the target, with the mark of the publication in the same transaction; gives how many of them were left
 * alone. What changes tables commits by itself, and comes before. The stage is left for the caller to remove.
 */
export async function publishStage(session: Session, publication: Publication): Promise<number> {
  return changingTable(session.client, publication.name, () => publishFrom(session, publication));
}

async function publishFrom(session: Session, publication: Publication): Promise<number> {
  const { client } = session;
  const { request, name, stage, rows } = publication;
  await client.query('ROLLBACK');
  const known = await findTable(session, name);
  const staged = await findTable(session, stage);
  if (staged === null && rows > 0) {
    // The rename has no transaction to bring its mark in: an attempt that died after it has left this one to do.
    if ((await stageState(client, stage)) === 'renaming') return marked(session, publication, async () => 0);
    throw new ConnectorError('TARGET', `The stage of "${request.object}" is gone; start the run again`);
  }
  if (EMPTYING_MODES.includes(request.mode)) return replaceBy(session, publication, known, staged);
  if (staged === null) return marked(session, publication, async () => 0);
  return mergeFrom(session, publication, known, staged);
}

async function marked(
  { client }: Session,
  { name, stage, loadId, rows }: Publication,
  give: () => Promise<number>,
): Promise<number> {
  await client.query('START TRANSACTION');
  const left = await give();
  await saveMark(client, { loadId, name, rows: rows - left });
  await setStageState(client, stage, 'over');
  await client.query('COMMIT');
  return left;
}

async function replaceBy(
  session: Session,
  publication: Publication,
  known: MysqlTable | null,
  staged: MysqlTable | null,
): Promise<number> {
  const { client } = session;
  const { request, name, stage, rows } = publication;
  const { object } = request;
  const empty = async () => {
    if (known !== null) await emptyTable(client, name, object);
    return 0;
  };
  if (staged === null || rows === 0) {
    return marked(session, publication, request.allowEmpty ? empty : async () => 0);
  }
  if (known !== null) await requireNoOtherRows(client, name, { object });
  const mayRename = known === null || (request.mode === 'replace' && (await isReplaceable(client, name)));
  if (mayRename) {
    await setStageState(client, stage, 'renaming');
    await rename(session, { name, stage, isThere: known !== null });
    return marked(session, publication, async () => 0);
  }
  await addColumnsOf(client, known, staged);
  requireSameTypes(await again(session, name), staged, object);
  const list = quoteList(staged.columns.filter(({ generated }) => !generated).map((column) => column.name));
  return marked(session, publication, async () => {
    await empty();
    await client.query(`INSERT INTO ${name.sql} (${list}) SELECT ${list} FROM ${stage.sql}`);
    return 0;
  });
}

/** The table of before goes after it: one that is left behind is removed by a later load, as the stages of loads are. */
async function rename(
  { client }: Session,
  {
    name,
    stage,
    isThere,
  }: { readonly name: TableName; readonly stage: TableName; readonly isThere: boolean },
): Promise<void> {
  if (!isThere) {
    await client.query(`RENAME TABLE ${stage.sql} TO ${name.sql}`);
    return;
  }
  const old = tableName(name.database, `${stagePrefix}${randomHex(6)}`);
  await client.query(`RENAME TABLE ${name.sql} TO ${old.sql}, ${stage.sql} TO ${name.sql}`);
  await client.query(`DROP TABLE ${old.sql}`);
}

async function mergeFrom(
  session: Session,
  publication: Publication,
  known: MysqlTable | null,
  staged: MysqlTable,
): Promise<number> {
  const { client } = session;
  const { request, name, stage, rows } = publication;
  const given = { ...staged, columns: staged.columns.filter((column) => column.name !== orderColumn) };
  if (known === null) await createLike(session, name, given, request.key);
  else await addColumnsOf(client, known, given);
  const target = await again(session, name);
  requireSameTypes(target, given, request.object);
  const isKeyed = KEYED_MODES.includes(request.mode);
  const hasOnlyKey = isKeyed && (await requireUniqueKey(session, target, request.key));
  const columns = given.columns
    .filter((column) => findColumn(target, column.name)?.generated !== true)
    .map((column) => column.name);
  const { object, mode, key, loadId, allowEmpty, signal } = request;
  const settlement = { target, hasOnlyKey, stage, columns, after: 0, rows, isComplete: true };
  return marked(session, publication, () =>
    settle(client, { object, mode, key, loadId, allowEmpty, signal }, settlement),
  );
}

async function createLike(
  session: Session,
  name: TableName,
  { columns }: MysqlTable,
  key: readonly string[],
): Promise<void> {
  const lines = columns.map(
    (column) => `${asDeclared(column)} ${key.includes(column.name) ? 'NOT NULL' : 'NULL'}`,
  );
  if (key.length > 0) lines.push(`PRIMARY KEY (${quoteList(key)})`);
  await session.client.query(`CREATE TABLE ${name.sql} (${lines.join(', ')}) ${tableOptions(session)}`);
}
