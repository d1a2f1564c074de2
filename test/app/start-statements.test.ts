import { Server } from 'node:net';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import t from 'tap';
import { silentLogger } from '../../src/base/logger.ts';
import { openStore } from '../../src/store/open-store.ts';
import { startFullApp } from '../support/full-app.ts';
import { until } from '../support/served.ts';
import { storeSettings } from '../support/stores.ts';

/** Tables with a row and more for each run: in a store of years they hold millions. */
const LARGE = new Set(
  'runs job_runs run_attempts run_steps run_status_history dead_letters audit_logs run_logs run_log_cursors'.split(
    ' ',
  ),
);

/** What a server leaves behind that was killed. */
const KILLED = {
  name: 'embedded',
  instance_id: 'x',
  session_token_hash: 'x',
  version: '1',
  protocol_version: 1,
  labels_json: '{}',
  connector_types: '',
  slots: 2,
  status: 'online',
  registered_at: 1,
  last_seen_at: 1,
};

const LISTENS = 'listens';

t.test('a start after a kill and a scrape walk no table that grows with the runs', async (t) => {
  const settings = await storeSettings(t, 'sqlite');
  if (settings.kind !== 'localdb') throw new Error('it is a file');
  const statements = new Set<string>();
  const { prepare } = DatabaseSync.prototype;
  const { listen } = Server.prototype;
  t.teardown(() => {
    DatabaseSync.prototype.prepare = prepare;
    Server.prototype.listen = listen;
  });
  Server.prototype.listen = function (this: Server, ...args: unknown[]): Server {
    statements.add(LISTENS);
    return listen.apply(this, args as Parameters<typeof listen>);
  } as typeof listen;
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql: string): StatementSync {
    statements.add(sql);
    return prepare.call(this, sql);
  };
  const before = await openStore(settings, silentLogger);
  await before.write((tx) => tx.insertInto('executors').values(KILLED).execute());
  await before.close();
  const app = await startFullApp(t, settings);
  const { visitor } = await app.superadmin();
  t.match(await visitor.get('/metrics'), { status: 200 });
  // What runs every second: the sweepers of leases and of job runs.
  for (const seen of ['"cancel_deadline" <', '"deadline_at" <='])
    await until(seen, 10_000, async () => [...statements].some((sql) => sql.includes(seen)) || null);
  DatabaseSync.prototype.prepare = prepare;
  const database = new DatabaseSync(settings.path, { readOnly: true });
  t.teardown(() => database.close());
  const partial = new Set(
    database
      .prepare("select name from sqlite_schema where type = 'index' and sql like '% where %'")
      .all()
      .map(({ name }) => name),
  );
  const walks: string[] = [];
  for (const sql of statements) {
    if (!/^\s*(select|update|delete|insert|with)/i.test(sql)) continue;
    const plan = database.prepare(`explain query plan ${sql}`).all();
    for (const { detail } of plan) {
      const [, table = '', index = ''] =
        /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(String(detail)) ?? [];
      if (LARGE.has(table) && !partial.has(index)) walks.push(`${detail}: ${sql}`);
    }
  }
  const order = [...statements];
  const released = order.findIndex((sql) => sql.startsWith('update "executors" set "status"'));
  t.ok(
    released >= 0 && released < order.indexOf(LISTENS),
    'the executor that died with it makes it ready no more once it answers',
  );
  t.ok(statements.size > 20, `${statements.size} statements`);
  t.same(walks, []);
});
