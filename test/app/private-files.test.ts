// Own process: the umask is the process's.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';
import t from 'tap';
import { silentLogger } from '../../src/base/logger.ts';
import { openSpoolFolder } from '../../src/executor/log/spool-folder.ts';
import { openMetricsFile } from '../../src/metering/localdb/localdb-file.ts';
import { openStore } from '../../src/store/open-store.ts';
import { startFullApp } from '../support/full-app.ts';

const rights = (path: string) => (statSync(path).mode & 0o777).toString(8);

function newFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-test-private-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A server as it starts on a machine where new files are readable by everybody. */
async function serve(t: Test, path: string) {
  const before = process.umask(0o022);
  const settings = { SVC_METRICS_PATH: join(dirname(path), 'metrics.db'), SVC_ENCRYPTION_KEY: '' };
  const app = await startFullApp(t, { kind: 'localdb', path }, settings);
  t.teardown(() => process.umask(before));
  return app;
}

const closed = (t: Test, folder: string) => {
  const names = readdirSync(folder);
  for (const name of names) t.equal(rights(join(folder, name)), '600', name);
  for (const name of ['state.db', 'state.db-wal', 'state-logs.db', 'headgate.key'])
    t.ok(names.includes(name), `${name} is there`);
};

t.test('a new state is readable by its owner alone: folder, databases, logs of them, key', async (t) => {
  const folder = join(newFolder(t), 'state');
  await serve(t, join(folder, 'state.db'));
  t.equal(rights(folder), '700');
  closed(t, folder);
});

t.test('a state of earlier versions, readable by everybody, is closed at the next start', async (t) => {
  const folder = join(newFolder(t), 'state');
  const first = await serve(t, join(folder, 'state.db'));
  await first.plane.stop();
  chmodSync(folder, 0o755);
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
  await serve(t, join(folder, 'state.db'));
  t.equal(rights(folder), '700');
  closed(t, folder);
});

t.test('a folder with other things in it stays as it is, and the files in it are closed', async (t) => {
  const folder = join(newFolder(t), 'shared');
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'orders.csv'), 'id\n1\n');
  await serve(t, join(folder, 'state.db'));
  t.equal(rights(folder), '755');
  t.equal(rights(join(folder, 'orders.csv')), '644', 'it is somebody else’s');
  rmSync(join(folder, 'orders.csv'));
  closed(t, folder);
});

t.test('the file of the metrics is closed, a new one as well as one that was there', async (t) => {
  const before = process.umask(0o022);
  t.teardown(() => process.umask(before));
  const path = join(newFolder(t), 'metrics', 'metrics.db');
  openMetricsFile(path).close();
  t.equal(rights(dirname(path)), '700');
  t.equal(rights(path), '600');
  chmodSync(path, 0o644);
  openMetricsFile(path).close();
  t.equal(rights(path), '600');
});

t.test('the folder of spools is closed too, also one that was there', async (t) => {
  const folder = join(newFolder(t), 'spools');
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  t.equal(rights(openSpoolFolder(folder, 'one')), '700');
  t.equal(rights(folder), '700');
});

t.test('a folder given in place of a file keeps its rights', async (t) => {
  const folder = newFolder(t);
  chmodSync(folder, 0o755);
  const logger = silentLogger;
  await t.rejects(openStore({ kind: 'localdb', path: folder }, logger), { code: 'NOT_READY' });
  t.throws(() => openMetricsFile(folder));
  t.equal(rights(folder), '755');
});
