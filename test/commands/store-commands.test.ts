import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { rotateSecrets } from '../../src/app/keys/key-rotation.ts';
import { selectSealed } from '../../src/app/keys/sealed-column-store.ts';
import { SEALED_COLUMNS } from '../../src/app/keys/sealed-columns.ts';
import { openCipher } from '../../src/app/keys/server-keys.ts';
import { createCipher } from '../../src/base/cipher.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { insertFailures } from '../../src/modules/auth/auth-store.ts';
import { networkOf } from '../../src/modules/auth/failure-limit.ts';
import { insertUser } from '../../src/modules/users/user-store.ts';
import { openStore } from '../../src/store/open-store.ts';
import { startFullApp } from '../support/full-app.ts';
import { createDatabase } from '../support/postgres.ts';
import { runCli } from '../support/run-cli.ts';
import { eachStore, emptyStoreSettings, STORE_KINDS, storeSettings } from '../support/stores.ts';

const OLD_KEY = 'e1f04c7ab03d58e2f61c7d90ab34ef99';
const NEW_KEY = '77aa4c7ab03d58e2f61c7d90ab34e0b2';
const PASSWORD = 'a passphrase of some length';

t.test('every column of the schema that is sealed is rotated', async (t) => {
  const schema = readFileSync(join(import.meta.dirname, '../../src/store/schema.ts'), 'utf8');
  const found: string[] = [];
  const tables = new Map(
    [...schema.matchAll(/^ {2}(\w+): (\w+Table);$/gm)].map(([, name, type]) => [type, name]),
  );
  for (const [, type, body] of schema.matchAll(/^interface (\w+Table)[^{]*\{\n([\s\S]*?)^\}/gm)) {
    for (const [, column] of body?.matchAll(/^ {2}(\w*_encrypted|\w*secrets_json)\??:/gm) ?? [])
      found.push(`${tables.get(type ?? '')}.${column}`);
  }
  t.ok(found.length >= 4, 'the schema is read');
  const listed = SEALED_COLUMNS.filter(({ only }) => only === undefined);
  t.same(found.sort(), listed.map(({ table, column }) => `${table}.${column}`).sort());
});

t.test('migrate tells what is pending, runs it once, and changes nothing with --check', async (t) => {
  for (const kind of STORE_KINDS) {
    const settings = await emptyStoreSettings(t, kind);
    const cwd = t.testdir({});
    const env =
      settings.kind === 'localdb' ? { SVC_STATE_PATH: settings.path } : { SVC_STATE_URL: settings.url };
    t.match(
      await runCli(['migrate', '--check'], { cwd, env }),
      { code: 1, stdout: /^pending {2}0001-access\n/ },
      kind,
    );
    t.match(await runCli(['migrate'], { cwd, env }), { code: 0, stdout: /^ran {6}0001-access\n/ });
    const after = await runCli(['migrate', '--check', '--json'], { cwd, env });
    t.equal(after.code, 0);
    t.match(JSON.parse(after.stdout), { ran: [], pending: [] });
  }
  const env = { SVC_STATE_URL: 'postgres://127.0.0.1:1/none' };
  t.equal((await runCli(['migrate', '--check'], { env })).code, 69, 'it may be there later');
});

t.test('after a rotation a server opens every secret without the old key', async (t) => {
  for (const kind of STORE_KINDS) {
    const before = await startFullApp(t, kind, { SVC_ENCRYPTION_KEY: OLD_KEY });
    const { visitor } = await before.superadmin();
    const connector = await visitor.post<{ id: number }>('/api/connectors', {
      name: 'db',
      type: 'postgres',
      config: { url: 'postgres://u:hidden-password@127.0.0.1:1/x' },
    });
    t.equal(connector.status, 201);
    const { store } = before.plane;
    const deps = { store, clock: systemClock };
    const both = await openCipher(store, [NEW_KEY, OLD_KEY], 1);
    const first = await rotateSecrets({ ...deps, cipher: both });
    const rotated = (table: string) => first.find((column) => column.table === table)?.rotated;
    t.same([rotated('users'), rotated('connectors'), rotated('secrets')], [1, 1, 1], kind);
    const second = await rotateSecrets({ ...deps, cipher: both });
    t.ok(
      second.every((column) => column.rotated === 0 && column.left === 0),
      'what is done is skipped',
    );
    const alone = await openCipher(store, [NEW_KEY], 2);
    await t.rejects(openCipher(store, [OLD_KEY], 3));
    for (const column of SEALED_COLUMNS) {
      for (const { key, sealed } of await selectSealed(store.read, column, null, 100)) {
        const parts = column.form === 'value' ? [['', sealed]] : Object.entries<string>(JSON.parse(sealed));
        for (const [secret = '', text = ''] of parts)
          t.ok(alone.decrypt(text, column.contextOf(key, secret)).length > 0);
      }
    }
    const audit = await store.read
      .selectFrom('audit_logs')
      .selectAll()
      .where('actor_type', '=', 'cli')
      .execute();
    t.same(audit.map((row) => [row.action, row.resource_type]).sort(), [
      ['encryption_key.rotate', 'connectors'],
      ['encryption_key.rotate', 'secrets'],
      ['encryption_key.rotate', 'users'],
    ]);
  }
});

t.test('a command in a folder without a state store makes none, and says where it looked', async (t) => {
  const cwd = t.testdir({});
  for (const args of [['user', 'list'], ['user', 'disable', 'a@example.com'], ['rotate-keys']]) {
    const { code, stderr } = await runCli(args, { cwd, env: {} });
    t.equal(code, 78);
    t.match(stderr, `There is no state store at "${join(cwd, 'state.db')}"`);
  }
  t.same(readdirSync(cwd), [], 'nothing was made');
  // As a folder that this user may not enter, which the tests' user, root, does not have.
  const unseen = join(t.testdir({ loop: t.fixture('symlink', 'loop') }), 'loop');
  const refused = await runCli(['user', 'list'], { cwd, env: { SVC_STATE_PATH: unseen } });
  t.equal(refused.code, 78);
  t.match(refused.stderr, `The state store cannot be opened: the file "${unseen}" (SVC_STATE_PATH) (ELOOP`);
  const { url } = await createDatabase(t);
  const { code, stderr } = await runCli(['user', 'list'], { cwd, env: { SVC_STATE_URL: url } });
  t.equal(code, 78);
  t.match(stderr, /There is no state store in the database of SVC_STATE_URL/);
});

t.test('keys are not rotated while a server on the store does not know the new one', async (t) => {
  const { kind, ...settings } = await storeSettings(t, 'sqlite');
  t.equal(kind, 'localdb');
  const path = 'path' in settings ? settings.path : '';
  const cwd = t.testdir({});
  const state = { kind: 'localdb', path } as const;
  const { plane } = await startFullApp(t, state, { SVC_ENCRYPTION_KEY: OLD_KEY });
  const env = { SVC_STATE_PATH: path, SVC_ENCRYPTION_KEY: NEW_KEY, SVC_PREVIOUS_ENCRYPTION_KEYS: OLD_KEY };
  const refused = await runCli(['rotate-keys'], { cwd, env });
  t.match(refused, { code: 1, stderr: /A server on this state store does not have the new key/ });
  await plane.stop();
  t.match(await runCli(['rotate-keys'], { cwd, env }), { code: 0 });
});

t.test('rotate-keys rotates the store of the settings', async (t) => {
  const cwd = t.testdir({});
  const state = { SVC_STATE_PATH: join(cwd, 'state.db') };
  t.equal((await runCli(['migrate'], { cwd, env: state })).code, 0);
  t.equal((await runCli(['rotate-keys'], { cwd, env: { ...state, SVC_ENCRYPTION_KEY: OLD_KEY } })).code, 0);
  const keys = { SVC_ENCRYPTION_KEY: NEW_KEY, SVC_PREVIOUS_ENCRYPTION_KEYS: OLD_KEY };
  const { code, stdout } = await runCli(['rotate-keys', '--json'], { cwd, env: { ...state, ...keys } });
  t.equal(code, 0);
  t.match(JSON.parse(stdout), { ok: true });
  const lost = await runCli(['rotate-keys'], { cwd, env: { ...state, SVC_ENCRYPTION_KEY: OLD_KEY } });
  t.match(lost, { code: 78, stderr: /is not the key/ });
});

await eachStore(t, 'a row that is changed while it is rotated is not overwritten', async (t, store) => {
  const old = createCipher([OLD_KEY]);
  const seal = (text: string) => old.encrypt(text, 'dashboard/1/share');
  const column = SEALED_COLUMNS.find(({ table }) => table === 'users');
  if (column === undefined) throw new Error('no column');
  await store.write((tx) =>
    tx
      .insertInto('users')
      .values({
        email: 'a@example.com',
        name: 'A',
        role: 'viewer',
        password_hash: 'x',
        totp_secret_encrypted: seal('one'),
        totp_confirmed: 1,
        totp_last_step: 0,
        recovery_hashes_json: '[]',
        status: 'active',
        version: 1,
        created_at: 1,
        updated_at: 1,
      })
      .execute(),
  );
  const [row] = await selectSealed(store.read, column, null, 10);
  if (row === undefined) throw new Error('no row');
  const { updateSealed } = await import('../../src/app/keys/sealed-column-store.ts');
  const changed = seal('two');
  t.equal(await store.write((tx) => updateSealed(tx, column, row, changed)), true);
  t.equal(await store.write((tx) => updateSealed(tx, column, row, seal('three'))), false);
  t.equal((await selectSealed(store.read, column, null, 10))[0]?.sealed, changed);
});

t.test('user changes who may sign in, with an audit row, and leaves a superadmin', async (t) => {
  const cwd = t.testdir({});
  const env = { SVC_STATE_PATH: join(cwd, 'state.db') };
  const user = (args: readonly string[], input = '') => runCli(['user', ...args], { cwd, env, input });
  t.match(await user(['create', 'root@example.com', '--role', 'superadmin']), {
    code: 2,
    stderr: /no password/,
  });
  t.match(await user(['create', 'root@example.com', '--role', 'superadmin'], 'short\n'), { code: 2 });
  t.match(await user(['create', 'root@example.com', '--role', 'superadmin'], 'root@example.com\n'), {
    code: 1,
    stderr: /too easy to guess/,
  });
  t.match(await user(['create', 'Root@example.com', '--role', 'superadmin'], `${PASSWORD}\n`), { code: 0 });
  t.match(await user(['disable', 'root@example.com']), { code: 1, stderr: /last active superadmin/ });
  t.match(await user(['set-role', 'root@example.com', 'viewer']), {
    code: 1,
    stderr: /last active superadmin/,
  });
  t.match(await user(['set-role', 'root@example.com', 'king']), { code: 2 });
  t.match(await user(['reset-totp', 'none@example.com']), {
    code: 1,
    stderr: /There is no user "none@example.com"/,
  });
  t.match(await user(['create', 'b@example.com', '--name', 'Bea'], PASSWORD), { code: 0 });
  t.match(await user(['set-role', 'b@example.com', 'superadmin']), {
    code: 0,
    stdout: /is superadmin, active/,
  });
  t.match(await user(['disable', 'root@example.com', '--json']), { code: 0, stdout: /"status":"disabled"/ });
  t.match(await user(['reset-totp', 'b@example.com']), { code: 0 });
  t.match(await user(['unlock', 'B@example.com']), {
    code: 0,
    stdout: /of "b@example.com"; use --address for a locked network/,
  });
  const reset = await user(['reset-password', 'b@example.com', '--generate', '--json']);
  t.match(JSON.parse(reset.stdout).password, /^.{24}$/);
  const listed = JSON.parse((await user(['list', '--json'])).stdout);
  t.match(listed.result, [
    { email: 'root@example.com', status: 'disabled' },
    { email: 'b@example.com', name: 'Bea', role: 'superadmin', status: 'active' },
  ]);
  const { openStore } = await import('../../src/store/open-store.ts');
  const { silentLogger } = await import('../../src/base/logger.ts');
  const store = await openStore({ kind: 'localdb', path: env.SVC_STATE_PATH }, silentLogger);
  t.teardown(() => store.close());
  const rows = await store.read.selectFrom('audit_logs').selectAll().orderBy('id').execute();
  t.same(
    rows.map((row) => `${row.actor_type} ${row.action}`),
    ['create', 'create', 'update', 'update', 'reset_totp', 'unlock', 'reset_password'].map(
      (verb) => `cli user.${verb}`,
    ),
  );
  t.notMatch(JSON.stringify(rows), PASSWORD);
});

t.test('user list gives everybody, however many', async (t) => {
  const settings = await storeSettings(t, 'sqlite');
  if (settings.kind !== 'localdb') throw new Error('SQLite is a file');
  const store = await openStore(settings, silentLogger);
  await store.write(async (tx) => {
    for (let n = 0; n < 201; n += 1) {
      const user = { email: `user${n}@example.com`, name: `${n}`, role: 'viewer', passwordHash: '' } as const;
      await insertUser(tx, user, 1);
    }
  });
  await store.close();
  const { code, stdout } = await runCli(['user', 'list', '--json'], {
    cwd: t.testdir({}),
    env: { SVC_STATE_PATH: settings.path },
  });
  t.equal(code, 0);
  const { result } = JSON.parse(stdout) as { result: { name: string }[] };
  t.same(
    result.map(({ name }) => name),
    Array.from({ length: 201 }, (_, n) => `${n}`),
  );
});

t.test('user unlock frees a network that is locked for every account', async (t) => {
  const settings = await storeSettings(t, 'sqlite');
  if (settings.kind !== 'localdb') throw new Error('SQLite is a file');
  const store = await openStore(settings, silentLogger);
  const at = Date.now();
  const failuresAt = (address: string, names: readonly string[]) =>
    store.write((tx) =>
      insertFailures(
        tx,
        {
          subjects: names.map((name) => ({ name: `${name}:${networkOf(address)}` })),
          account: 'other@example.com',
        },
        at,
      ),
    );
  await failuresAt('203.0.113.7', ['login', 'login', 'totp', 'setup', 'share:00ff']);
  await failuresAt('13.7', ['login']);
  await failuresAt('203.0.113.70', ['login']);
  await failuresAt('2001:db8:1:2::5', ['login']);
  const unlock = (...args: readonly string[]) =>
    runCli(['user', 'unlock', ...args], { cwd: t.testdir({}), env: { SVC_STATE_PATH: settings.path } });
  t.match(await unlock(), { code: 2, stderr: /an email address, --address or both/ });
  t.match(await unlock('--address', 'home'), { code: 2, stderr: /"home" is not an IP address/ });
  t.match(await unlock('--address', '203.0.113.7'), {
    code: 0,
    stdout: /^Cleared 5 failure\(s\) from 203\.0\.113\.7\./,
  });
  t.match(await unlock('--address', '2001:db8:1:2:3::1', '--json'), { code: 0, stdout: /"failures":1/ });
  const left = await store.read.selectFrom('auth_failures').select('subject').orderBy('id').execute();
  t.same(
    left.map(({ subject }) => subject),
    ['login:13.7', 'login:203.0.113.70'],
  );
  const entries = await store.read.selectFrom('audit_logs').selectAll().orderBy('id').execute();
  t.match(entries, [{ action: 'user.unlock', actor_type: 'cli', diff_json: /"network":"203.0.113.7"/ }, {}]);
  await store.close();
});
