import { DatabaseSync } from 'node:sqlite';
import { ConnectorError, type Row } from '../../../src/drivers/driver.ts';
import type { RunInput } from '../../../src/engine/run.ts';
import { createKeeper, driversWith, type Keeper, rowsOf, runYaml } from '../support/task-run.ts';

interface Given {
  readonly folder: string;
  readonly lookup: Readonly<Record<string, unknown>>;
  readonly rows: readonly Row[];
  /** More keys of the transform. */
  readonly keys?: Readonly<Record<string, unknown>>;
  readonly before?: readonly unknown[];
  readonly after?: readonly unknown[];
  /** Throws in place of a call; told its number, from 1, and its arguments. */
  readonly fault?: (call: number, args: unknown) => ConnectorError | null;
  readonly input?: Partial<RunInput>;
  readonly keeper?: Keeper;
  /** Of the load; default `replace`. */
  readonly mode?: string;
}

/** A database with the table `people (id, region, name)`. */
export function peopleIn(
  folder: string,
  people: readonly (readonly [number, string | null, string])[],
): string {
  const file = `${folder}/people.db`;
  const db = new DatabaseSync(file);
  db.exec('CREATE TABLE people (id INTEGER, region TEXT, name TEXT)');
  const insert = db.prepare('INSERT INTO people VALUES (?, ?, ?)');
  for (const one of people) insert.run(...one);
  db.close();
  return file;
}

export function yamlOf({
  lookup,
  keys = {},
  before = [],
  after = [],
  mode = 'replace',
}: Omit<Given, 'folder' | 'rows'>): string {
  return JSON.stringify({
    version: 1,
    name: 'enrich',
    connectors: { source: { type: 'dummy' }, people: { type: 'sqlite' }, target: { type: 'sqlite' } },
    steps: [
      {
        id: 'read',
        kind: 'extract',
        connector: 'source',
        method: 'list',
        ...('batch' in keys && { batch: keys['batch'] }),
      },
      { id: 'shape', kind: 'transform', input: 'read', ops: [...before, { lookup }, ...after], ...keys },
      {
        id: 'write',
        kind: 'load',
        input: 'shape',
        connector: 'target',
        object: 'out',
        mode,
        ...(mode === 'replace' && { allow_empty: true }),
      },
    ],
  });
}

/** What a transform with a lookup in the table makes of rows, in their order; `calls` are the arguments of each read of the table. */
export async function enrich(given: Given) {
  const { folder, rows, fault, input, keeper = createKeeper() } = given;
  const calls: unknown[] = [];
  const drivers = driversWith('sqlite', (connection) => ({
    ...connection,
    read: (request) => {
      calls.push(request.args);
      const error = fault?.(calls.length, request.args) ?? null;
      if (error !== null) throw error;
      return connection.read(request);
    },
  }));
  const target = `${folder}/out-${Math.random()}.db`;
  const connectors = {
    source: { type: 'dummy', config: { rows } },
    people: { type: 'sqlite', config: { path: `${folder}/people.db` } },
    target: { type: 'sqlite', config: { path: target } },
  };
  const outcome = await runYaml({
    folder,
    yaml: yamlOf(given),
    connectors,
    drivers,
    keeper,
    ...(input && { input }),
  });
  const out = outcome.status === 'success' || outcome.status === 'warning' ? outRows(target) : [];
  return { ...outcome, out, calls, keeper, step: outcome.steps.find(({ step_id }) => step_id === 'shape') };
}

function outRows(file: string): readonly Row[] {
  const found = rowsOf(file, "SELECT name FROM sqlite_master WHERE name = 'out'");
  return found.length === 0 ? [] : rowsOf(file, 'SELECT * FROM out ORDER BY rowid');
}

export const unavailable = () => new ConnectorError('UNAVAILABLE', 'The people are away');
