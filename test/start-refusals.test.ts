import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import packageJson from '../package.json' with { type: 'json' };
import { openCipher } from '../src/app/keys/server-keys.ts';
import { silentLogger } from '../src/base/logger.ts';
import { insertExecutorKeys, revokeExecutorKey } from '../src/modules/executors/keys/executor-key-store.ts';
import { fingerprintOf } from '../src/protocol/executor-key.ts';
import { openStore } from '../src/store/open-store.ts';
import { MAIN } from './support/program.ts';
import { programEnvironment } from './support/program-environment.ts';
import { runCli } from './support/run-cli.ts';
import { STORE_KINDS, storeSettings } from './support/stores.ts';

const KEY = '9f4c1e7ab03d58e2f61c7d90ab34ef12';
const OTHER_KEY = '5e2f61c7d90ab34ef129f4c1e7ab03d8';
const EXECUTOR_KEY = 'c83f0be1d5a94727b6e2f40918ad63c7';
const ENDS_MS_MAX = 15_000;

interface Ended {
  readonly code: unknown;
  readonly stderr: string;
}

const SETTINGS = { SVC_CONFIG_FILE: '/dev/null', SVC_HTTP_PORT: '0', SVC_LOG_LEVEL: 'silent' };

/** `headgate serve` with these settings alone, until it ends by itself: in a process of its own where `ownProcess` says so. */
function serve(t: Test, settings: Record<string, string>, ownProcess = false): Promise<Ended> {
  return runCli(['serve'], { cwd: t.testdir(), env: { ...SETTINGS, ...settings }, ownProcess });
}

function started(t: Test, args: readonly string[]): Promise<Ended> {
  const env = { ...programEnvironment(), ...SETTINGS };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      args,
      { env, cwd: t.testdir(), timeout: ENDS_MS_MAX, killSignal: 'SIGKILL' },
      (error, _stdout, stderr) => resolve({ code: error?.signal ?? error?.code ?? 0, stderr }),
    );
  });
}

for (const kind of STORE_KINDS) {
  t.test(`a server whose key does not fit its store ends with code 78 (${kind})`, async (t) => {
    const settings = await storeSettings(t, kind);
    const store = await openStore(settings, silentLogger);
    await openCipher(store, [KEY], 1);
    await store.close();
    const state =
      settings.kind === 'localdb' ? { SVC_STATE_PATH: settings.path } : { SVC_STATE_URL: settings.url };
    const { code, stderr } = await serve(t, { ...state, SVC_ENCRYPTION_KEY: OTHER_KEY }, kind === 'sqlite');
    t.equal(code, 78);
    t.match(stderr, /SVC_ENCRYPTION_KEY is not the key/);
    t.notMatch(stderr, new RegExp(`${OTHER_KEY}|postgres://`));
  });
}

for (const kind of STORE_KINDS) {
  t.test(`a server whose executor key is revoked ends with code 78 (${kind})`, async (t) => {
    const settings = await storeSettings(t, kind);
    const store = await openStore(settings, silentLogger);
    await store.write(async (tx) => {
      await insertExecutorKeys(tx, [fingerprintOf(EXECUTOR_KEY)], 1);
      await revokeExecutorKey(tx, fingerprintOf(EXECUTOR_KEY), 'root', 2);
    });
    await store.close();
    const state =
      settings.kind === 'localdb' ? { SVC_STATE_PATH: settings.path } : { SVC_STATE_URL: settings.url };
    const { code, stderr } = await serve(t, {
      ...state,
      SVC_ENCRYPTION_KEY: KEY,
      SVC_EXECUTOR_KEY: EXECUTOR_KEY,
    });
    t.equal(code, 78);
    t.match(stderr, new RegExp(`SVC_EXECUTOR_KEY.*${fingerprintOf(EXECUTOR_KEY)}.*revoked`));
    t.notMatch(stderr, EXECUTOR_KEY);
  });
}

t.test('a server whose port is taken ends, and says which setting to change', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  t.teardown(() => taken.close());
  const { port } = taken.address() as { port: number };
  for (const setting of ['SVC_HTTP_PORT', 'SVC_GRPC_PORT']) {
    const { code, stderr } = await serve(t, { [setting]: String(port) });
    t.equal(code, 1);
    t.match(stderr, new RegExp(`127\\.0\\.0\\.1:${port} is in use: set ${setting}`));
  }
});

t.test('a store that cannot be opened is named, with its setting and without its password', async (t) => {
  const folder = t.testdir();
  t.match(await serve(t, { SVC_STATE_PATH: folder }), {
    code: 78,
    stderr: `The state store cannot be opened: the file "${folder}" (SVC_STATE_PATH)`,
  });
  const { code, stderr } = await serve(t, { SVC_STATE_URL: 'postgres://ada:s3cret@127.0.0.1:1/x' });
  t.equal(code, 69, 'it may be there later: what restarts the server tries again');
  t.match(stderr, 'the PostgreSQL server 127.0.0.1:1 (SVC_STATE_URL)');
  t.notMatch(stderr, /s3cret/);
});

t.test('a PostgreSQL server that refuses the URL is a wrong setting, not one to wait for', async (t) => {
  const settings = await storeSettings(t, 'postgres');
  if (settings.kind !== 'serverdb') throw new Error('it is a database');
  const url = new URL(settings.url);
  url.pathname = '/no_such_database';
  const { code, stderr } = await serve(t, { SVC_STATE_URL: url.href });
  t.equal(code, 78);
  t.match(stderr, /database "no_such_database" does not exist/);
});

t.test('an older Node ends with code 78, and is told which one is needed', async (t) => {
  const older = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '24.9.0' } })`;
  const needed = /\d+\.\d+/.exec(packageJson.engines.node)?.[0] ?? '';
  const { code, stderr } = await started(t, ['--import', older, MAIN, '--version']);
  t.equal(code, 78);
  t.match(stderr, `Headgate needs Node ${needed} or later; "${process.execPath}" is 24.9.0`);
});

t.test('a file of the settings that is not there ends a server and an executor with code 78', async (t) => {
  const absent = join(t.testdir(), 'absent');
  t.match(await serve(t, { SVC_GRPC_TLS_CERT: absent, SVC_GRPC_TLS_KEY: absent }), {
    code: 78,
    stderr: `SVC_GRPC_TLS_CERT "${absent}" cannot be read: it does not exist`,
  });
  const args = ['executor', '--server', '127.0.0.1:1', '--key', EXECUTOR_KEY, '--ca', absent];
  t.match(await runCli(args, { cwd: t.testdir(), ownProcess: false }), {
    code: 78,
    stderr: `--ca "${absent}" cannot be read: it does not exist`,
  });
});
