import { existsSync, readdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ConnectorError } from '../../../../src/drivers/driver.ts';
import { writeLoads } from '../../../../src/drivers/files/local/load-record.ts';
import { openStagedFile } from '../../../../src/drivers/files/local/staged-file.ts';
import type { StagedFile } from '../../../../src/drivers/files/storage/file-storage.ts';

function open(folder: string, loadId: string, mode: 'append' | 'replace' = 'append'): Promise<StagedFile> {
  return openStagedFile({ target: { name: 'a.txt', folder, path: join(folder, 'a.txt') }, loadId, mode });
}

const textOf = (folder: string) => readFileSync(join(folder, 'a.txt'), 'utf8');
const leftovers = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.staging'));

const faulted = (fault: string) => ({ fault, message: /./ });

t.test('nothing is visible before the commit, and nothing is left after an abort', async (t) => {
  const folder = realpathSync(t.testdir({ 'a.txt': 'old\n' }));
  const staged = await open(folder, 'load-1');
  await staged.write('new\n');
  t.equal(textOf(folder), 'old\n');
  await staged.abort();
  t.equal(textOf(folder), 'old\n');
  t.strictSame(leftovers(folder), []);
  const again = await open(folder, 'load-1');
  t.equal(again.alreadyDone, null);
  await again.write('new\n');
  await again.commit(1);
  t.equal(textOf(folder), 'old\nnew\n');
  await again.abort();
  t.equal(textOf(folder), 'old\nnew\n', 'an abort after the commit changes nothing');
});

t.test('the retry of a load that committed is told so, also after other loads', async (t) => {
  const folder = realpathSync(t.testdir({}));
  for (const loadId of ['load-1', 'load-2', 'load-3']) {
    const staged = await open(folder, loadId);
    await staged.write(`${loadId}\n`);
    await staged.commit(7);
  }
  for (const loadId of ['load-1', 'load-2', 'load-3']) {
    t.strictSame((await open(folder, loadId)).alreadyDone, { rows: 7 });
  }
  t.equal(textOf(folder), 'load-1\nload-2\nload-3\n');
});

t.test('a process that died between the record and the rename has not committed', async (t) => {
  const folder = realpathSync(t.testdir({ 'a.txt': 'old\n' }));
  const dying = await open(folder, 'load-1');
  await dying.write('new\n');
  await dying.handle?.close();
  const [staging] = leftovers(folder);
  t.ok(staging);
  const before = await versionNow(folder);
  await writeLoads(folder, 'a.txt', {
    loads: [],
    last: { load_id: 'load-1', rows: 1, staging: staging ?? '', before },
  });
  t.equal((await openAndDrop(folder, 'load-other')).alreadyDone, null);
  const retry = await open(folder, 'load-1');
  t.equal(retry.alreadyDone, null);
  t.notOk(existsSync(join(folder, staging ?? '')), 'what the dead attempt staged is swept');
  await retry.write('new\n');
  await retry.commit(1);
  t.equal(textOf(folder), 'old\nnew\n');
});

t.test('a process that died just after the rename has committed', async (t) => {
  const folder = realpathSync(t.testdir({ 'a.txt': 'old\n' }));
  const before = await versionNow(folder);
  writeFileSync(join(folder, '.headgate-x.staging'), 'old\nnew\n');
  await writeLoads(folder, 'a.txt', {
    loads: [],
    last: { load_id: 'load-1', rows: 1, staging: '.headgate-x.staging', before },
  });
  renameSync(join(folder, '.headgate-x.staging'), join(folder, 'a.txt'));
  t.strictSame((await open(folder, 'load-1')).alreadyDone, { rows: 1 });
});

t.test('of two loads that append at once none loses the other’s rows', async (t) => {
  const folder = realpathSync(t.testdir({ 'a.txt': '' }));
  const first = await open(folder, 'load-1');
  const second = await open(folder, 'load-2');
  await first.write('first\n');
  await second.write('second\n');
  await first.commit(1);
  const error = await second.commit(1).catch((thrown: unknown) => thrown);
  t.ok(error instanceof ConnectorError && error.fault === 'UNAVAILABLE', String(error));
  await second.abort();
  const retry = await open(folder, 'load-2');
  await retry.write('second\n');
  await retry.commit(1);
  t.equal(textOf(folder), 'first\nsecond\n');
});

t.test('an attempt that lost its lease cannot commit once the next attempt has begun', async (t) => {
  const folder = realpathSync(t.testdir({ 'a.txt': 'old\n' }));
  const late = await open(folder, 'load-1', 'replace');
  await late.write('late\n');
  const next = await open(folder, 'load-1', 'replace');
  await t.rejects(late.commit(1), faulted('UNAVAILABLE'));
  await late.abort();
  t.equal(textOf(folder), 'old\n');
  await next.write('next\n');
  await next.commit(1);
  t.equal(textOf(folder), 'next\n');
});

async function versionNow(folder: string): Promise<string | null> {
  const { fileVersion } = await import('../../../../src/drivers/files/local/load-record.ts');
  return fileVersion(join(folder, 'a.txt'));
}

async function openAndDrop(folder: string, loadId: string): Promise<StagedFile> {
  const staged = await open(folder, loadId);
  await staged.abort();
  return staged;
}
