import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Test } from 'tap';
import { allDrivers } from '../../support/all-drivers.ts';
import { createKeeper, type Keeper, rowsOf, runYaml, type TaskRun } from './task-run.ts';

/** One incremental extract into a table; `extract` and `load` are the rest of their steps. */
export function yamlOf(type: string, extract: string, load = 'mode: append'): string {
  return `
version: 1
name: incremental
connectors: { source: {type: ${type}}, target: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: source, ${extract} }
  - { id: write, kind: load, input: read, connector: target, object: t, ${load} }
`;
}

export const INTEGER = 'cursor: { field: id, type: integer, initial: 0 }';

export interface Scene {
  readonly folder: string;
  readonly keeper: Keeper;
  run(config: unknown, drivers?: TaskRun['drivers']): ReturnType<typeof runYaml>;
  /** Values of a column in the target, in the order in which they arrived. */
  loaded(column?: string): unknown[];
}

export function sceneOf(t: Test, type: string, yaml: string): Scene {
  const folder = t.testdir();
  const keeper = createKeeper();
  let id = 0;
  return {
    folder,
    keeper,
    run: (config, drivers) => {
      id += 1;
      const connectors = {
        source: { type, config },
        target: { type: 'sqlite', config: { path: 'target.db' } },
      };
      return runYaml({
        folder,
        yaml,
        connectors,
        keeper,
        input: { run: { id, attempt: 1 } },
        drivers: drivers ?? allDrivers,
      });
    },
    loaded: (column = 'id') =>
      rowsOf(join(folder, 'target.db'), `SELECT ${column} AS value FROM t`).map(({ value }) => value),
  };
}

/** Statements on the file of the source. */
export function sqlite(folder: string, sql: string): void {
  const db = new DatabaseSync(join(folder, 'source.db'));
  db.exec(sql);
  db.close();
}

export const DB = { path: 'source.db' };
