import { fork } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { masterKeysOf, openCipher, openServerCipher } from '../../../src/app/keys/server-keys.ts';
import { loadConfig } from '../../../src/config.ts';
import { eachStore } from '../../support/stores.ts';

const KEYS = ['9f4c1e7ab03d58e2f61c7d90ab34ef12', '5e2f61c7d90ab34ef129f4c1e7ab03d8'];
const [KEY = '', OTHER_KEY = ''] = KEYS;

function configIn(t: Test, env: Record<string, string> = {}) {
  const folder = t.testdir();
  const loaded = loadConfig({
    SVC_CONFIG_FILE: '/dev/null',
    SVC_STATE_PATH: join(folder, 'state.db'),
    ...env,
  });
  if (!loaded.ok) throw new Error('settings');
  return { folder, config: loaded.config };
}

t.test('the first start makes a key for its owner alone, and every later one reads it', async (t) => {
  const { folder, config } = configIn(t);
  const [key] = masterKeysOf(config);
  t.match(key, /^[0-9a-f]{64}$/);
  t.same(masterKeysOf(config), [key]);
  t.equal(statSync(join(folder, 'headgate.key')).mode & 0o777, 0o600);
  t.same(readdirSync(folder), ['headgate.key'], 'nothing else is left');
});

t.test('servers that start together read the same key', async (t) => {
  const { folder } = configIn(t);
  const children = Array.from({ length: 6 }, () =>
    fork(join(import.meta.dirname, '../../support/key-reader-main.ts'), [join(folder, 'state.db')]),
  );
  const keys = await Promise.all(
    children.map((child) => new Promise<unknown>((resolve) => child.once('message', resolve))),
  );
  t.equal(new Set(keys.map(String)).size, 1);
  t.match(keys[0], /^[0-9a-f]{64}$/);
  t.same(readdirSync(folder), ['headgate.key']);
});

t.test('a key file that holds no whole key is no start', async (t) => {
  const { folder, config } = configIn(t);
  for (const text of ['', '\n', 'abc']) {
    writeFileSync(join(folder, 'headgate.key'), text);
    t.throws(() => masterKeysOf(config), { code: 'NOT_READY', message: /holds no whole key/ });
  }
  t.equal(readFileSync(join(folder, 'headgate.key'), 'utf8'), 'abc', 'and is left as it is');
});

t.test('a key of the settings needs no file', async (t) => {
  const { folder, config } = configIn(t, {
    SVC_ENCRYPTION_KEY: KEY,
    SVC_PREVIOUS_ENCRYPTION_KEYS: OTHER_KEY,
  });
  t.same(masterKeysOf(config), [KEY, OTHER_KEY]);
  t.notOk(existsSync(join(folder, 'headgate.key')));
});

t.test('a store', async (t) => {
  await eachStore(t, 'whose key is missing gets no new one, and says which it needs', async (t, store) => {
    const { folder, config } = configIn(t);
    await openCipher(store, [KEY], 1);
    await t.rejects(openServerCipher(store, config, 2), {
      code: 'NOT_READY',
      message: /^There is no master key here; the store needs key \w{8}: set SVC_/,
    });
    t.same(readdirSync(folder), [], 'no key file is made beside it');
    writeFileSync(join(folder, 'headgate.key'), OTHER_KEY);
    const wrong =
      /^The key file "headgate\.key" is not the key .*The master key here is \w{8}, and the store needs key/;
    await t.rejects(openServerCipher(store, config, 3), { code: 'NOT_READY', message: wrong });
    writeFileSync(join(folder, 'headgate.key'), KEY);
    await openServerCipher(store, config, 4);
  });
  await eachStore(t, 'opens with the key that it was written with, and with no other', async (t, store) => {
    const first = await openCipher(store, [OTHER_KEY], 1);
    const sealed = first.encrypt('kept', 'c');
    const refused = { code: 'NOT_READY', message: /SVC_ENCRYPTION_KEY is not the key/ };
    await t.rejects(openCipher(store, [KEY], 2), refused);
    t.equal((await openCipher(store, [OTHER_KEY], 3)).decrypt(sealed, 'c'), 'kept');
    t.equal(
      (await openCipher(store, [KEY, OTHER_KEY], 4)).decrypt(sealed, 'c'),
      'kept',
      'a rotation names both',
    );
    await store.write((tx) =>
      tx.updateTable('secrets').set({ value: 'v1.x.y.z' }).where('name', '=', 'canary').execute(),
    );
    await t.rejects(openCipher(store, [OTHER_KEY], 5), refused);
  });
});
