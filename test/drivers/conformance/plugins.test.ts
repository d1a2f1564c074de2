import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import t from 'tap';
import type { Plugin } from '../../../src/drivers/plugins/plugin.ts';
import { ofFullList } from '../../support/fault-list.ts';
import { findProgram } from '../../support/find-program.ts';
import { createDatabase } from '../../support/postgres.ts';
import { scriptedPlugin } from '../airbyte/scripted.ts';
import { scriptedTap } from '../singer/scripted.ts';
import { familyConforms, freshFolder, type Peers } from './conforms.ts';

const faker = findProgram(process.env['AIRBYTE_SOURCE_FAKER_PATH'], ['source-faker']);
const tap = findProgram(process.env['TAP_POSTGRES_PATH'], ['tap-postgres']);
const target = findProgram(process.env['TARGET_JSONL_PATH'], ['target-jsonl']);

const pluginOf = (name: string, program: string | null): Plugin => ({
  name,
  command: [program ?? ''],
  folder: null,
  memoryMb: 1_024,
});
/** A source starts anew for each question: its streams are explored by reading them. */
const PAGES = { pages: /says no resource/ };

/** It only writes, and a target of Singer neither refuses a row nor knows a load again. */
const TARGET = {
  methods: /only writes/,
  introspection: /no introspection/,
  load: /^After the same load was sent twice the target has 6 rows/,
  errors: /no row that must be refused/,
};
const scriptedTarget: Plugin = {
  ...pluginOf('scripted', null),
  command: [process.execPath, '--no-warnings', resolve('test/peers/singer/target-main.ts')],
};

function linesOf(path: string): Record<string, unknown>[] {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

const recordsOf = (path: string) =>
  linesOf(path).flatMap(({ type, record }) => (type === 'RECORD' ? [record as Record<string, unknown>] : []));

/** Each check starts a program of Python, some of them four times: seconds each where other tests run beside it. */
const PYTHON_CHECK_MS_MAX = 180_000;

const without = (program: string | null, needs: string) => ofFullList.skip || (program === null && needs);
const none = (config: object) =>
  ({ config: { ...config, plugin: 'none' }, fault: 'CONFIG', says: /"none"/ }) as const;

const PEERS: Peers<'plugins'> = {
  airbyte: [
    {
      name: 'a scripted source',
      skip: ofFullList.skip,
      except: PAGES,
      prepare: async () => {
        const config = { plugin: 'scripted', config: { mode: 'good', rows: 5 } };
        const read = { method: 'read', args: { stream: 'people' } };
        const wrong = [
          none(config),
          { config: { ...config, config: { mode: 'refused', rows: 5 } }, fault: 'CONFIG', says: /./ },
        ] as const;
        return { sample: { config, read, wrong }, context: { plugins: [scriptedPlugin] } };
      },
    },
    {
      name: 'airbyte-source-faker',
      checkMsMax: PYTHON_CHECK_MS_MAX,
      except: PAGES,
      skip: without(faker, 'needs airbyte-source-faker at AIRBYTE_SOURCE_FAKER_PATH'),
      prepare: async () => {
        const config = { plugin: 'faker', config: { count: 10, seed: 1, always_updated: false } };
        const read = { method: 'read', args: { stream: 'users', columns: ['id'] } };
        return {
          sample: { config, read, wrong: [none(config)] },
          context: { plugins: [pluginOf('faker', faker)] },
        };
      },
    },
  ],
  singer: [
    {
      name: 'a scripted tap',
      skip: ofFullList.skip,
      except: PAGES,
      prepare: async () => {
        const config = { plugin: 'scripted', config: { mode: 'good', rows: 5 } };
        const read = { method: 'read', args: { stream: 'app-people', replication_key: 'id' } };
        return { sample: { config, read, wrong: [none(config)] }, context: { plugins: [scriptedTap] } };
      },
    },
    {
      name: 'pipelinewise-tap-postgres',
      checkMsMax: PYTHON_CHECK_MS_MAX,
      except: PAGES,
      skip: without(tap, 'needs pipelinewise-tap-postgres at TAP_POSTGRES_PATH'),
      prepare: async (t) => {
        const { url } = await createDatabase(t);
        const client = new pg.Client({ connectionString: url });
        await client.connect();
        t.teardown(() => client.end());
        await client.query('CREATE TABLE people (id int PRIMARY KEY, name text)');
        await client.query(`INSERT INTO people VALUES (1, 'Ada'), (2, 'Bob'), (3, NULL), (4, 'Di')`);
        const { hostname, port, username, password, pathname } = new URL(url);
        const settings = { host: hostname, port: Number(port), user: username, dbname: pathname.slice(1) };
        const secrets = { password: decodeURIComponent(password) || 'none' };
        const config = { plugin: 'tap', config: settings, secrets };
        const read = { method: 'read', args: { stream: 'public-people', replication_key: 'id' } };
        return {
          sample: { config, read, wrong: [none(config)] },
          context: { plugins: [pluginOf('tap', tap)] },
        };
      },
    },
  ],
  singer_target: [
    {
      name: 'a scripted target',
      except: TARGET,
      modes: ['append'],
      prepare: async (t) => {
        const path = join(freshFolder(t), 'messages');
        const settings = { mode: 'good', path };
        const write = {
          object: 'people',
          read: async () => recordsOf(path),
          empty: async () => rmSync(path, { force: true }),
        };
        const config = { plugin: 'scripted', config: settings };
        const refused = { plugin: 'scripted', config: { ...settings, mode: 'refused' } };
        const wrong = [none(config), { config: refused, fault: 'TARGET', says: /bad token/ }] as const;
        return { sample: { config, write, wrong }, context: { plugins: [scriptedTarget] } };
      },
    },
    {
      name: 'target-jsonl',
      checkMsMax: PYTHON_CHECK_MS_MAX,
      skip: without(target, 'needs target-jsonl at TARGET_JSONL_PATH'),
      except: TARGET,
      modes: ['append'],
      prepare: async (t) => {
        const folder = join(freshFolder(t), 'out');
        mkdirSync(folder);
        const read = async () => readdirSync(folder).flatMap((name) => linesOf(join(folder, name)));
        const empty = async () => rmSync(folder, { recursive: true }) ?? mkdirSync(folder);
        const config = { plugin: 'target-jsonl', config: { destination_path: folder } };
        const write = { object: 'people', read, empty };
        return {
          sample: { config, write, wrong: [none(config)] },
          context: { plugins: [pluginOf('target-jsonl', target)] },
        };
      },
    },
  ],
};

familyConforms(t, PEERS);
