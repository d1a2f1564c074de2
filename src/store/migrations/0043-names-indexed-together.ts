import type { Migrate } from '../migrate.ts';
import { executeAll } from './execute.ts';

/** What lists search, by the migrations `0021-name-search` and `0038-dashboard-search`. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  tasks: ['name'],
  job_templates: ['name'],
  jobs: ['name'],
  connectors: ['name'],
  dashboards: ['name'],
  ai_references: ['name'],
  explorer_presets: ['name'],
  users: ['email', 'name'],
};

/**
 * SQLite's trigrams of new names are written for a group of writes at once (`sqlite/name-index.ts`): FTS5 writes a part of its index
 * for each statement, which is more than all else that a new record costs. Rows of `unindexed_names` last until their commit.
 */
export const indexNamesTogether: Migrate = async (db, dialect) => {
  if (dialect.name !== 'sqlite') return;
  await executeAll(db, dialect, [
    `create table unindexed_names (searched text not null, id integer not null, primary key (searched, id)) without rowid`,
    ...Object.entries(TABLES).flatMap(([table, columns]) => triggersOf(table, columns)),
  ]);
};

function triggersOf(table: string, columns: readonly string[]): string[] {
  const index = `${table}_trigrams`;
  const names = columns.join(', ');
  const old = columns.map((column) => `old.${column}`).join(', ');
  const waitsAs = (row: 'old' | 'new') =>
    `select 1 from unindexed_names where searched = '${table}' and id = ${row}.id`;
  // Not "or ignore": the conflict clause of the statement that fires a trigger replaces its own.
  const wait = `insert into unindexed_names (searched, id) select '${table}', new.id where not exists (${waitsAs('new')});`;
  // What waits has no entry yet: to remove one that is not there would spoil the index.
  const drop = `insert into ${index} (${index}, rowid, ${names}) select 'delete', old.id, ${old} where not exists (${waitsAs('old')});`;
  const renamed = columns.map((column) => `old.${column} is not new.${column}`).join(' or ');
  return [
    ...['insert', 'delete', 'rename'].map((change) => `drop trigger ${table}_search_${change}`),
    `create trigger ${table}_search_insert after insert on ${table} begin ${wait} end`,
    `create trigger ${table}_search_delete after delete on ${table} begin
       ${drop} delete from unindexed_names where searched = '${table}' and id = old.id; end`,
    `create trigger ${table}_search_rename after update of ${names} on ${table} when ${renamed} begin ${drop} ${wait} end`,
  ];
}
