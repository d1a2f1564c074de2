import type { DatabaseSync } from 'node:sqlite';
import type { Column, WriteRequest } from '../../driver.ts';
import { quoteIdentifier, quoteList } from '../../sql/identifier.ts';
import { deleteMissing } from '../../sql/load/delete-missing.ts';
import { keepVersions } from '../../sql/load/keep-versions.ts';
import { requireVersioned, uniqueKey } from '../../sql/load/load-key.ts';
import { findTable, type SqliteTable } from '../introspect.ts';
import { createTable } from './create-table.ts';
import { addColumns, findColumn, orderColumn, requireUniqueKey, stageName } from './load-table.ts';
import { strictly, typeFor } from './made-type.ts';
import { sqliteSession } from './sqlite-session.ts';

/** Makes the target and its stage ready for rows that become versions; gives the stage. */
export function prepareVersions(
  db: DatabaseSync,
  request: WriteRequest,
  name: string,
  columns: readonly Column[],
): SqliteTable {
  const key = uniqueKey(request);
  const known = findTable(db, name);
  if (known !== null) requireVersioned(request, (column) => findColumn(known, column) !== undefined);
  else createTable(db, name, columns, key);
  const there = findTable(db, name) as SqliteTable;
  const target = addColumns(db, there, columns) ? (findTable(db, name) as SqliteTable) : there;
  requireUniqueKey(db, target, key);
  const stage = stageName(name);
  // Without the constraints of the target: rows of a stage are not yet its versions.
  if (findTable(db, stage) === null)
    db.exec(
      `CREATE TABLE ${quoteIdentifier(stage)} (${quoteIdentifier(orderColumn)} INTEGER PRIMARY KEY)${strictly(target)}`,
    );
  const staged = findTable(db, stage) as SqliteTable;
  for (const column of columns) {
    if (findColumn(staged, column.name) !== undefined) continue;
    const declared = findColumn(target, column.name)?.declared ?? typeFor(column, target.strict);
    db.exec(`ALTER TABLE ${quoteIdentifier(stage)} ADD COLUMN ${quoteIdentifier(column.name)} ${declared}`);
  }
  return findTable(db, stage) as SqliteTable;
}

/** Gives the rows of the stage to the target; gives how many of them changed nothing. */
export async function applyVersions(
  db: DatabaseSync,
  { key, object, versions, missing }: WriteRequest,
  name: string,
  isComplete: boolean,
): Promise<number> {
  const stage = findTable(db, stageName(name));
  const target = findTable(db, name);
  if (stage === null || target === null || !versions) return 0;
  const columns = stage.columns
    .map((column) => column.name)
    .filter((column) => column !== orderColumn && findColumn(target, column)?.generated !== true);
  return keepVersions(sqliteSession(db), {
    target: quoteIdentifier(target.name),
    stage: quoteIdentifier(stage.name),
    order: orderColumn,
    columns,
    key,
    versions,
    object,
    presentAt: isComplete && missing ? missing.at : null,
  });
}

/** Takes away the rows of the target whose key is not in the stage; gives how many. */
export async function takeMissing(
  db: DatabaseSync,
  { key, object, versions = null, missing }: WriteRequest,
  name: string,
): Promise<number> {
  const target = findTable(db, name);
  if (target === null || !missing) return 0;
  const stage = findTable(db, stageName(name));
  const seen = stage === null ? null : quoteIdentifier(stage.name);
  if (seen !== null) {
    const index = quoteIdentifier(`${stageName(name)}_key`);
    db.exec(`CREATE INDEX IF NOT EXISTS ${index} ON ${seen} (${quoteList(key)})`);
  }
  const session = sqliteSession(db);
  return deleteMissing(session, {
    target: quoteIdentifier(target.name),
    seen,
    key,
    missing,
    versions,
    object,
  });
}
