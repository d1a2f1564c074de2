import {
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import t, { type Test } from 'tap';
import { createBackup } from '../../src/app/backup/create-backup.ts';
import { restoreBackup } from '../../src/app/backup/restore-backup.ts';
import { openCipher } from '../../src/app/keys/server-keys.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { type Config, loadConfig } from '../../src/config.ts';
import { openLocaldb } from '../../src/metering/localdb/localdb.ts';
import { BackupWriter } from '../../src/store/backup/backup-file.ts';
import { backupPostgres } from '../../src/store/backup/postgres-backup.ts';
import { postgresDialect } from '../../src/store/dialect.ts';
import { migrate } from '../../src/store/migrate.ts';
import { logMigrations, stateMigrations } from '../../src/store/migrations/migrations.ts';
import { openStore, type StateSettings } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { NOW, pointsOf, reportOf } from '../metering/support/points.ts';
import { batchOf, completionOf, frameOf, newExecutor, openPlane, startedRun } from '../modules/runs/plane.ts';
import { ofFullList } from '../support/fault-list.ts';
import { emptyStoreSettings, STORE_KINDS, type StoreKind, storeSettings } from '../support/stores.ts';

const KEY = '4d1f9a7c0b2e5d8f6a3c1e9b7d5f2a4c';
const CONTEXT = 'a secret of a test';
const QUIET = { onProgress: () => undefined };

function configOf(settings: StateSettings, folder: string, key = KEY): Config {
  const where =
    settings.kind === 'localdb' ? { SVC_STATE_PATH: settings.path } : { SVC_STATE_URL: settings.url };
  const loaded = loadConfig({
    ...where,
    SVC_METRICS_PATH: join(folder, 'metrics.db'),
    SVC_ENCRYPTION_KEY: key,
  });
  if (!loaded.ok) throw new Error(loaded.problems.map(({ message }) => message).join());
  return loaded.config;
}

/** Every row of every table, as text. */
async function contentsOf(store: Store): Promise<Record<string, string[]>> {
  const contents: Record<string, string[]> = {};
  for (const db of [store.read, store.logs as unknown as Store['read']])
    for (const { name } of await db.introspection.getTables({ withInternalKyselyTables: false })) {
      if (/^headgate_m/.test(name)) continue;
      const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(db);
      contents[name] = rows.map((row) => JSON.stringify(row)).sort();
    }
  return contents;
}

/** A store with a run that logged and ended, one that is going, calls of a connector, and a sealed text. */
async function seeded(t: Test, kind: StoreKind) {
  const folder = t.testdir({});
  const settings = await storeSettings(t, kind);
  const config = configOf(settings, folder);
  const store = await openStore(settings, silentLogger);
  t.teardown(() => store.close());
  const cipher = await openCipher(store, [KEY], NOW);
  const sealed = cipher.encrypt('tell nobody', CONTEXT);
  await store.write((tx) =>
    tx.insertInto('secrets').values({ name: 'kept', value: sealed, created_at: 1 }).execute(),
  );
  const calls = { connector_id: 1, bucket_at: NOW, source: 'run', calls: 3, errors: 1, ms: 12 };
  await store.write((tx) => tx.insertInto('connector_calls').values(calls).execute());
  const plane = openPlane(t, store);
  const ended = await startedRun(plane, await newExecutor(plane));
  await plane.intake.appendLogs(frameOf(batchOf(ended, 1, 50)));
  await plane.intake.complete(completionOf(ended, { last_log_seq: 50 }));
  const going = await startedRun(plane, await newExecutor(plane));
  await plane.intake.appendLogs(frameOf(batchOf(going, 1, 7)));
  return { folder, config, store, backup: join(folder, 'x.backup') };
}

for (const kind of STORE_KINDS) {
  t.test(`a restored store is the one that was backed up (${kind})`, async (t) => {
    const { folder, config, store, backup } = await seeded(t, kind);
    const metrics = await openLocaldb({
      path: config.metrics.path,
      retentionDays: 90_000,
      clock: { now: () => NOW },
    });
    await metrics.write(pointsOf({ run: 1 }, reportOf('success', 100, 10)));
    const steps: number[] = [];
    await createBackup(store, config, backup, { onProgress: (bytes) => steps.push(bytes) });
    await metrics.close();
    t.ok(
      steps.length > 0 && steps.every((bytes, index) => bytes > (steps[index - 1] ?? 0)),
      'progress is told',
    );
    t.equal(statSync(backup).mode & 0o077, 0, 'it is its owner’s alone');
    t.notOk(readFileSync(backup).includes(KEY));
    t.same(
      readdirSync(folder).filter((name) => name.includes('backup')),
      ['x.backup'],
    );

    const settings = await emptyStoreSettings(t, kind);
    const there = configOf(settings, join(folder, 'there'));
    const place = settings.kind === 'localdb' ? dirname(settings.path) : folder;
    // Whoever the server runs as owns the folder; root alone can restore for somebody else.
    if (process.getuid?.() === 0) chownSync(place, 1_234, 1_235);
    await restoreBackup(backup, there, { ...QUIET, force: false });
    if (settings.kind === 'localdb')
      for (const path of [settings.path, there.metrics.path]) {
        const [file, owner] = [statSync(path), statSync(place)];
        t.same([file.uid, file.gid], [owner.uid, owner.gid], path);
      }
    const restored = await openStore(settings, silentLogger);
    t.teardown(() => restored.close());
    const before = await contentsOf(store);
    t.same(await contentsOf(restored), before);
    t.ok(Object.values(before).flat().length > 70, 'there was something');
    const cipher = await openCipher(restored, [KEY], NOW);
    const { value } = await restored.read
      .selectFrom('secrets')
      .select('value')
      .where('name', '=', 'kept')
      .executeTakeFirstOrThrow();
    t.equal(cipher.decrypt(value, CONTEXT), 'tell nobody');
    // Ids continue where they were.
    const plane = openPlane(t, restored);
    const next = await startedRun(plane, await newExecutor(plane)).catch((error: unknown) => error);
    t.match(next, { run_id: 3 });
    if (kind === 'sqlite') {
      const copy = new DatabaseSync(there.metrics.path, { readOnly: true });
      t.match(copy.prepare('select task_name, status from runs').all(), [{ status: 'success' }]);
      copy.close();
    }

    const again = { ...QUIET, force: false };
    await t.rejects(restoreBackup(backup, there, again), /There is a state store already/);
    await t.rejects(createBackup(store, config, backup, QUIET), /There is a file/);
  });

  t.test(
    `a restore that fails leaves what was there (${kind})`,
    kind === 'postgres' ? ofFullList : {},
    async (t) => {
      const { folder, config, store, backup } = await seeded(t, kind);
      await createBackup(store, config, backup, QUIET);
      const settings = await storeSettings(t, kind);
      const target = await openStore(settings, silentLogger);
      await target.write((tx) =>
        tx.insertInto('secrets').values({ name: 'mine', value: 'x', created_at: 1 }).execute(),
      );
      await target.close();
      const force = { ...QUIET, force: true };
      const wrongKey = configOf(settings, folder, '0'.repeat(16) + 'f'.repeat(16));
      await t.rejects(
        restoreBackup(backup, wrongKey, force),
        /The master key here is \w{8}, and the store needs key \w{8}/,
      );
      const whole = readFileSync(backup);
      const right = configOf(settings, folder);
      const place = whole.indexOf(Buffer.from([0x28, 0xb5, 0x2f, 0xfd]));
      for (const [what, damage] of [
        ['a flipped byte', () => writeFileSync(backup, whole.with(place + 40, (whole[place + 40] ?? 0) ^ 1))],
        ['a cut', () => truncateSync(backup, Math.floor(whole.length / 2))],
      ] as const) {
        writeFileSync(backup, whole);
        damage();
        await t.rejects(restoreBackup(backup, right, force), /is damaged or incomplete/, what);
      }
      writeFileSync(backup, 'a,b,c\n');
      await t.rejects(restoreBackup(backup, right, force), /is not a backup/);
      const after = await openStore(settings, silentLogger);
      t.match(await after.read.selectFrom('secrets').select('name').execute(), [{ name: 'mine' }]);
      await after.close();
      writeFileSync(backup, whole);
      writeFileSync(right.metrics.path, 'of other runs');
      await restoreBackup(backup, right, force);
      t.equal(existsSync(right.metrics.path), kind === 'postgres', 'metrics of the state before are gone');
      const replaced = await openStore(settings, silentLogger);
      t.same(await contentsOf(replaced), await contentsOf(store), 'with the right key, and --force');
      await replaced.close();
      const { path = folder } = settings.kind === 'localdb' ? settings : {};
      const left = existsSync(join(path, '..')) ? readdirSync(join(path, '..')) : [];
      t.same(
        left.filter((name) => name.startsWith('.headgate-')),
        [],
      );
    },
  );
}

t.test(
  'logs and metrics that came after the state are left out: their ids will be given again',
  async (t) => {
    const { folder, config, store, backup } = await seeded(t, 'sqlite');
    const metrics = await openLocaldb({
      path: config.metrics.path,
      retentionDays: 90_000,
      clock: { now: () => NOW },
    });
    await metrics.write(pointsOf({ run: 1 }, reportOf('success', 100, 10)));
    await metrics.write(pointsOf({ run: 3 }, reportOf('success', 100, 10)));
    await metrics.close();
    const logs = new DatabaseSync(store.bulkFiles?.logsPath ?? '');
    for (const [run, attempt] of [
      [3, 1],
      [2, 9],
    ]) {
      logs.exec(`insert into run_logs values (${run}, ${attempt}, 1, 1, 1, 'step', 'later', null, 0);
      insert into run_log_cursors (run_id, attempt, acked_seq, bytes, last_at) values (${run}, ${attempt}, 1, 1, ${Date.now()})`);
    }
    logs.close();
    await createBackup(store, config, backup, QUIET);
    const settings = await emptyStoreSettings(t, 'sqlite');
    const there = configOf(settings, join(folder, 'there'));
    await restoreBackup(backup, there, { ...QUIET, force: false });
    const restored = await openStore(settings, silentLogger);
    t.teardown(() => restored.close());
    const attempts = await restored.logs
      .selectFrom('run_log_cursors')
      .select(['run_id', 'attempt'])
      .orderBy('run_id')
      .execute();
    t.same(attempts, [
      { run_id: 1, attempt: 1 },
      { run_id: 2, attempt: 1 },
    ]);
    const lines = await restored.logs.selectFrom('run_logs').select('message').execute();
    t.notOk(lines.some(({ message }) => message === 'later'));
    t.equal(lines.length, 57);
    const copy = new DatabaseSync(there.metrics.path, { readOnly: true });
    t.match(copy.prepare('select run_id from runs').all(), [{ run_id: 1 }]);
    copy.close();
  },
);

t.test('a backup of an earlier schema is migrated (postgres)', ofFullList, async (t) => {
  const folder = t.testdir({});
  const from = await emptyStoreSettings(t, 'postgres');
  const to = await emptyStoreSettings(t, 'postgres');
  if (from.kind !== 'serverdb') throw new Error('it is a database');
  const earlier = Object.entries({ ...stateMigrations, ...logMigrations }).filter(([name]) =>
    /^(00(0|1[0-6])|logs-000[12])/.test(name),
  );
  const pool = new pg.Pool({ connectionString: from.url, max: 1 });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  await migrate(db, postgresDialect, Object.fromEntries(earlier));
  await sql`insert into secrets (name, value, created_at) values ('old', 'x', 1)`.execute(db);
  await sql`insert into audit_logs (at, actor_type, actor_name, action, resource_type, outcome)
    values (1, 'cli', 'headgate', 'old', 'task', 'ok')`.execute(db);
  await db.destroy();
  const backup = join(folder, 'x.backup');
  const writer = new BackupWriter(backup);
  const ignore = () => undefined;
  const contents = await backupPostgres(from.url, writer, ignore, ignore);
  const migrations = earlier.map(([name]) => name);
  writer.finish({ headgate_version: '0.0.1', created_at: '', store: 'serverdb', migrations, ...contents });
  await restoreBackup(backup, configOf(to, folder), { ...QUIET, force: false });
  const restored = await openStore(to, silentLogger);
  t.teardown(() => restored.close());
  t.match(await restored.read.selectFrom('secrets').selectAll().execute(), [{ name: 'old' }]);
  t.match(await restored.read.selectFrom('audit_logs').selectAll().execute(), [{ id: 1, action: 'old' }]);
});

t.test('a store in use is not replaced', async (t) => {
  const { config, store, backup } = await seeded(t, 'sqlite');
  await createBackup(store, config, backup, QUIET);
  await t.rejects(restoreBackup(backup, config, { ...QUIET, force: true }), /is in use: stop the server/);
  const { config: served, store: used, backup: other } = await seeded(t, 'postgres');
  await createBackup(used, served, other, QUIET);
  await used.write((tx) =>
    tx.insertInto('secrets').values({ name: 'server:1', value: 'x', created_at: Date.now() }).execute(),
  );
  await t.rejects(restoreBackup(other, served, { ...QUIET, force: true }), /A server runs on this database/);
});

t.test('a backup of a newer version, or of the other engine, is refused', async (t) => {
  const { config, store, backup, folder } = await seeded(t, 'sqlite');
  await createBackup(store, config, backup, QUIET);
  const elsewhere = configOf({ kind: 'serverdb', url: 'postgres://127.0.0.1:1/x', poolMax: 1 }, folder);
  const options = { ...QUIET, force: false };
  await t.rejects(
    restoreBackup(backup, elsewhere, options),
    /is of SQLite files, and the settings name a PostgreSQL/,
  );
  const file = new DatabaseSync(backup);
  file.exec(`update backup set manifest = json_insert(manifest, '$.migrations[#]', '9999-later')`);
  file.close();
  const empty = configOf(await emptyStoreSettings(t, 'sqlite'), folder);
  await t.rejects(restoreBackup(backup, empty, options), /made by a newer version/);
});
