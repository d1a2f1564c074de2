import type { Test } from 'tap';
import type { Verification } from '../../../../src/base/run-report.ts';
import type { Column, ColumnType, Connection, Driver, Row } from '../../../../src/drivers/driver.ts';
import { allDrivers } from '../../../support/all-drivers.ts';
import { createMongoDatabase, withoutMongodb } from '../../../support/ferretdb.ts';
import { createMariadbDatabase, withoutMariadb } from '../../../support/mariadb.ts';
import { createDatabase } from '../../../support/postgres.ts';
import { contextOf, createKeeper, type Keeper, runYaml } from '../../support/task-run.ts';

/** A store that can be one side of a comparison. */
export interface SideKind {
  readonly name: string;
  readonly type: string;
  readonly skip: false | string;
  /** What its name for rows of that object is. */
  readonly object: (name: string) => string;
  readonly config: (t: Test, folder: string) => Promise<unknown>;
}

export const SIDES: readonly SideKind[] = [
  {
    name: 'postgres',
    type: 'postgres',
    skip: false,
    object: (name) => name,
    config: async (t) => ({ url: (await createDatabase(t)).url }),
  },
  {
    name: 'mysql',
    type: 'mysql',
    skip: withoutMariadb(),
    object: (name) => name,
    config: async (t) => ({ url: (await createMariadbDatabase(t)).url }),
  },
  {
    name: 'sqlite',
    type: 'sqlite',
    skip: false,
    object: (name) => name,
    config: async () => ({ path: 'side.db' }),
  },
  {
    name: 'ndjson',
    type: 'json',
    skip: false,
    object: (name) => `${name}.ndjson`,
    config: async () => ({ path: '.' }),
  },
  {
    name: 'mongodb',
    type: 'mongodb',
    skip: withoutMongodb(),
    object: (name) => name,
    config: async (t) => ({ url: (await createMongoDatabase(t)).url }),
  },
];

export interface Side {
  readonly kind: SideKind;
  readonly connector: { readonly type: string; readonly config: unknown };
  readonly connection: Connection;
  put(name: string, types: Readonly<Record<string, ColumnType>>, rows: readonly Row[]): Promise<void>;
}

let loads = 0;

export async function openSide(t: Test, kind: SideKind, folder: string): Promise<Side> {
  const driver = allDrivers.get(kind.type) as Driver;
  const connector = { type: kind.type, config: await kind.config(t, folder) };
  const connection = await driver.connect(
    connector.config,
    contextOf({ folder, yaml: '', connectors: {} }).connectContext,
  );
  t.teardown(() => connection.close());
  return {
    kind,
    connector,
    connection,
    put: async (name, types, rows) => {
      const columns: Column[] = Object.entries(types).map(([column, type]) => ({
        name: column,
        type,
        nullable: true,
      }));
      loads += 1;
      const writer = await connection.openWriter({
        object: kind.object(name),
        mode: 'replace',
        key: [],
        loadId: `put-${loads}`,
        allowEmpty: true,
        signal: new AbortController().signal,
      });
      await writer.write({ columns, rows: [...rows] });
      await writer.commit();
    },
  };
}

export interface Compared {
  readonly status: string;
  readonly message: string;
  readonly code: string;
  readonly found: Verification;
  readonly keeper: Keeper;
}

let runs = 500;

/** Compares `name` of two sides by a verify step with these further keys. */
export async function compare(
  folder: string,
  source: Side,
  target: Side,
  keys: string,
  name = 'rows',
  spillFolder: string | null = null,
): Promise<Compared> {
  const yaml = `
version: 1
name: check
connectors: { a: {type: ${source.kind.type}}, b: {type: ${target.kind.type}} }
steps:
  - id: check
    kind: verify
    source: { connector: a, object: ${source.kind.object(name)} }
    target: { connector: b, object: ${target.kind.object(name)} }
    ${keys}
`;
  runs += 1;
  const outcome = await runYaml({
    folder,
    yaml,
    connectors: { a: source.connector, b: target.connector },
    keeper: createKeeper(),
    spillFolder,
    input: { run: { id: runs, attempt: 1 } },
  });
  const found = outcome.steps.find(({ kind }) => kind === 'verify')?.verification;
  if (found === undefined) throw new Error(outcome.failure?.message ?? 'the step has found nothing');
  const { message = '', code = '' } = outcome.failure ?? {};
  return { status: outcome.status, message, code, found, keeper: outcome.keeper };
}
