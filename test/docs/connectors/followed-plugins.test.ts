// Long list: it starts programs of Python again and again; quick: test/drivers/singer/singer.test.ts, test/drivers/airbyte/airbyte.test.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import t from 'tap';
import { findProgram } from '../../support/find-program.ts';
import { startReceiver } from '../../support/http-receiver.ts';
import { createDatabase } from '../../support/postgres.ts';
import { follow } from './follow.ts';

const tap = findProgram(process.env['TAP_POSTGRES_PATH'], ['tap-postgres']);
const target = findProgram(process.env['TARGET_JSONL_PATH'], ['target-jsonl']);
const faker = findProgram(process.env['AIRBYTE_SOURCE_FAKER_PATH'], ['source-faker']);

/** In place of installing it: the program that is installed, where the page would have it. */
function installed(page: string, program: string | null, install: string): Readonly<Record<string, string>> {
  const name = program?.split('/').at(-1);
  return {
    [`python3 -m venv ${page}\n${page}/bin/pip install ${install}`]: `mkdir -p ${page}/bin\nln -s '${program}' ${page}/bin/${name}`,
  };
}

t.test(
  'singer',
  { skip: tap === null && 'needs pipelinewise-tap-postgres at TAP_POSTGRES_PATH' },
  async (t) => {
    const { url } = await createDatabase(t);
    const { hostname, port, username, password, pathname } = new URL(url);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    t.teardown(() => client.end());
    const { again, rows } = await follow(t, 'singer', {
      replaced: {
        ...installed('tap-postgres', tap, 'pipelinewise-tap-postgres==1.8.4'),
        'host: 127.0.0.1, port: 5432, user: reader, dbname: shop': `host: ${hostname}, port: ${port}, user: ${username}, dbname: ${pathname.slice(1)}`,
        'password of reader': decodeURIComponent(password) || 'none',
      },
      sql: async (text) => void (await client.query(text)),
    });
    const sum = () => rows('orders.db', 'SELECT count(*) n, sum(amount) total FROM orders');
    t.strictSame(sum(), [{ n: 2, total: 33.5 }]);
    await client.query("INSERT INTO orders VALUES (3, 1.25, '2026-01-06T00:00:00Z')");
    t.equal(await again(), 2, 'the new one, and the last of before');
    t.strictSame(sum(), [{ n: 3, total: 34.75 }]);
  },
);

t.test(
  'singer, a target',
  { skip: target === null && 'needs target-jsonl at TARGET_JSONL_PATH' },
  async (t) => {
    const { folder } = await follow(t, 'singer', {
      heading: 'Writing to a target',
      replaced: installed('target-jsonl', target, 'target-jsonl==0.1.4'),
    });
    const [name = ''] = readdirSync(join(folder, 'out'));
    t.match(name, /^people-.*\.jsonl$/);
    t.equal(
      readFileSync(join(folder, 'out', name), 'utf8'),
      '{"id": 1, "name": "Ada"}\n{"id": 2, "name": "Bob"}\n',
    );
  },
);

t.test(
  'airbyte',
  { skip: faker === null && 'needs airbyte-source-faker at AIRBYTE_SOURCE_FAKER_PATH' },
  async (t) => {
    const { again, rows } = await follow(t, 'airbyte', {
      replaced: installed('faker', faker, 'airbyte-source-faker==7.2.1'),
    });
    const counted = () => rows('users.db', 'SELECT count(*) n, count(DISTINCT id) ids FROM users');
    t.strictSame(counted(), [{ n: 2_000, ids: 2_000 }]);
    t.equal(await again(), 0);
    t.strictSame(counted(), [{ n: 2_000, ids: 2_000 }]);
  },
);

t.test(
  'airbyte, a low-code source',
  { skip: faker === null && 'needs airbyte-source-faker at AIRBYTE_SOURCE_FAKER_PATH' },
  async (t) => {
    const server = await startReceiver(t);
    server.answer = (response, { path, headers }) => {
      const isKnown = headers.authorization === 'Bearer t0ken' && path === '/customers';
      response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          data: [
            { id: 1, name: 'Ada' },
            { id: 2, name: 'Bob' },
          ],
        }),
      );
    };
    const { rows } = await follow(t, 'airbyte', {
      heading: 'Low-code sources',
      replaced: {
        'https://api.example.com': `http://127.0.0.1:${server.port}`,
        'token of the API': 't0ken',
        'faker/bin': dirname(faker ?? ''),
      },
    });
    t.strictSame(rows('customers.db', 'SELECT id, name FROM customers ORDER BY id'), [
      { id: 1, name: 'Ada' },
      { id: 2, name: 'Bob' },
    ]);
  },
);
