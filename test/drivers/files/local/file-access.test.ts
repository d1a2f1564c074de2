import { linkSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { type ConnectContext, ConnectorError } from '../../../../src/drivers/driver.ts';
import { createFileAccess } from '../../../../src/drivers/files/local/file-access.ts';

function contextOf(root: string, forbiddenFiles: string[] = []): ConnectContext {
  return { fileRoots: [root], forbiddenFiles, connectTimeoutMs: 1_000 };
}

interface Asserts {
  ok(value: unknown, message: string): boolean;
}

async function rejectsWith(test: Asserts, work: () => Promise<unknown>, words: RegExp): Promise<void> {
  const error = await work().then(
    () => null,
    (thrown: unknown) => thrown,
  );
  const isRefused = error instanceof ConnectorError && error.fault === 'CONFIG' && words.test(error.message);
  test.ok(isRefused, `${String(error)} should say ${words}`);
}

t.test('a file is opened by its name in the folder, and a missing one is named', async (t) => {
  const root = realpathSync(
    t.testdir({ data: { 'a.csv': 'x\n1\n', '.hidden.csv': '', 'b.txt': '', 'c.png': '' } }),
  );
  const files = await createFileAccess({
    path: 'data',
    context: contextOf(root),
    extensions: ['.csv', '.txt'],
  });
  t.strictSame(await files.list(), ['a.csv', 'b.txt']);
  const opened = await files.open('a.csv');
  t.equal(opened.sizeBytes, 4);
  await opened.handle.close();
  await rejectsWith(
    t,
    () => files.open('airports.csv'),
    /^The file "airports.csv" does not exist in this connector's folder$/,
  );
  await rejectsWith(t, () => files.open(undefined), /name one of its files/);
});

t.test('no name leads out of the folder: dots, absolute paths, links to files and to folders', async (t) => {
  const root = realpathSync(
    t.testdir({
      in: { data: { 'a.csv': 'x' } },
      out: { 'secret.csv': 's' },
      'in-but-longer': { 'b.csv': '' },
    }),
  );
  const inside = join(root, 'in');
  symlinkSync(join(root, 'out', 'secret.csv'), join(inside, 'data', 'link.csv'));
  symlinkSync(join(root, 'out'), join(inside, 'data', 'linked'));
  const files = await createFileAccess({ path: 'data', context: contextOf(inside), extensions: ['.csv'] });
  for (const name of [
    '../../out/secret.csv',
    join(root, 'out', 'secret.csv'),
    'link.csv',
    'linked/secret.csv',
  ]) {
    await rejectsWith(t, () => files.open(name), /is outside the folders/);
  }
  t.strictSame(await files.list(), ['a.csv'], 'links are not listed');
  for (const path of [
    join(root, 'out'),
    '../out/secret.csv',
    join(root, 'in-but-longer', 'b.csv'),
    '/etc/none',
  ]) {
    await rejectsWith(
      t,
      () => createFileAccess({ path, context: contextOf(inside), extensions: [] }),
      /is outside the folders/,
    );
  }
  await rejectsWith(t, () => files.target('linked/new.csv'), /is outside the folders/);
  await rejectsWith(t, () => files.target('link.csv'), /is a link/);
  await rejectsWith(t, () => files.target('.a.csv.headgate'), /must not begin with a dot/);
});

t.test(
  'the server’s own files are refused by path and by hard link, for reading and for writing',
  async (t) => {
    const root = realpathSync(t.testdir({ 'state.db': 'secret', 'state.db-wal': 'w', 'a.csv': 'x' }));
    linkSync(join(root, 'state.db'), join(root, 'innocent.csv'));
    const context = contextOf(root, [join(root, 'state.db')]);
    const files = await createFileAccess({ path: '.', context, extensions: ['.csv'] });
    for (const name of ['state.db', 'state.db-wal', 'innocent.csv']) {
      await rejectsWith(t, () => files.open(name), /belongs to the server/);
      await rejectsWith(t, () => files.target(name), /belongs to the server/);
    }
  },
);

t.test(
  'what lies in a folder of the server is refused, also where the folder is named by a link',
  async (t) => {
    const root = realpathSync(
      t.testdir({
        spool: { 'executor-1-a': { 'log.csv': 'x' } },
        real: { 'state.db': 's' },
        'spool-2.csv': 'x',
      }),
    );
    symlinkSync(join(root, 'real'), join(root, 'linked'));
    const context = contextOf(root, [join(root, 'spool'), join(root, 'linked', 'state.db')]);
    const files = await createFileAccess({ path: '.', context, extensions: ['.csv'] });
    for (const name of ['spool/executor-1-a/log.csv', 'real/state.db']) {
      await rejectsWith(t, () => files.open(name), /belongs to the server/);
      await rejectsWith(t, () => files.target(name), /belongs to the server/);
    }
    for (const name of ['spool/new.csv', 'real/state.db-journal']) {
      await rejectsWith(t, () => files.target(name), /belongs to the server/);
    }
    const opened = await files.open('spool-2.csv');
    await opened.handle.close();
  },
);

t.test('without an allowed folder nothing opens; folders and pipes are no files', async (t) => {
  const root = realpathSync(t.testdir({ sub: { 'x.csv': '' } }));
  await rejectsWith(
    t,
    () => createFileAccess({ path: root, context: { ...contextOf(root), fileRoots: [] }, extensions: [] }),
    new RegExp(
      `allows no folder for files yet: restart it with one, for example SVC_FILE_ROOTS="${dirname(root)}"`,
    ),
  );
  const files = await createFileAccess({ path: root, context: contextOf(root), extensions: [] });
  await rejectsWith(t, () => files.open('sub'), /is not a file/);
});

t.test('a connector of one file opens it without a name, refuses others and sees a change', async (t) => {
  const root = realpathSync(t.testdir({ 'one.csv': 'x', 'two.csv': 'y' }));
  const files = await createFileAccess({ path: 'one.csv', context: contextOf(root), extensions: [] });
  t.strictSame(await files.list(), ['one.csv']);
  const before = await files.open(undefined);
  await before.handle.close();
  await rejectsWith(t, () => files.open('two.csv'), /holds only the file "one.csv"/);
  writeFileSync(join(root, 'one.csv'), 'longer');
  const after = await files.open('one.csv');
  await after.handle.close();
  t.not(after.version, before.version);
});

t.test('a folder that is not there is named as such, whatever is asked of it', async (t) => {
  const root = realpathSync(t.testdir({ 'one.csv': 'x' }));
  const access = (path: string) => createFileAccess({ path, context: contextOf(root), extensions: [] });
  const absent = /The folder "exports" does not exist: create it, or correct the "path" of the connector/;
  const files = await access('exports');
  await rejectsWith(t, () => files.find('*.csv', AbortSignal.timeout(5_000)), absent);
  await rejectsWith(t, () => files.open('one.csv'), absent);
  await rejectsWith(t, () => files.target('one.csv'), absent);
  await rejectsWith(t, () => access('exports/'), /The folder "exports\/" does not exist: create it/);
  t.match(await files.target('exports'), { name: 'exports' }, 'a file of that name can be made');
  const file = await access('out.csv');
  await rejectsWith(t, () => file.target('x.csv'), /holds only the file "out.csv", not "x.csv"/);
});
