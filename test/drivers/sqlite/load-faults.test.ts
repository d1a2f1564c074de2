import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import t from 'tap';
import { sqliteDriver } from '../../../src/drivers/sqlite/driver.ts';
import { batchOf, contextOf, execute, fault, load, never, rowsOf, writeAll } from '../sql/engines.ts';

const fixture = `${import.meta.dirname}/endless-load.ts`;

for (const mode of ['append', 'replace', 'upsert'] as const) {
  t.test(`a process that is killed in the middle of ${mode} leaves the target as it was`, async (t) => {
    const folder = t.testdir();
    const c = await sqliteDriver.connect({ path: 't.db' }, contextOf(folder));
    t.teardown(() => c.close());
    await execute(
      c,
      'CREATE TABLE people (id integer PRIMARY KEY, name text)',
      `INSERT INTO people VALUES (1, 'old')`,
    );
    const child = spawn(process.execPath, [fixture, folder, mode], { stdio: ['ignore', 'pipe', 'inherit'] });
    // It says so after each batch; by the third, pages have gone to the file's log.
    for (let lines = 0; lines < 3; lines += 1) await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    t.strictSame(await rowsOf(c, 'SELECT * FROM people'), [{ id: 1, name: 'old' }]);
    t.strictSame(await rowsOf(c, 'SELECT name FROM sqlite_schema'), [{ name: 'people' }]);
    await writeAll(c, { mode }, batchOf([{ id: 2, name: 'new' }]));
    t.equal(await c.call('count', { table: 'people' }, never), mode === 'replace' ? 1 : 2);
    t.strictSame(await rowsOf(c, 'PRAGMA table_info(people)').then((rows) => rows.length), 2);
  });
}

t.test('a disk that takes no more ends the load, says so, and leaves the target as it was', async (t) => {
  const folder = t.testdir();
  const c = await sqliteDriver.connect({ path: 't.db' }, contextOf(folder));
  t.teardown(() => c.close());
  await execute(
    c,
    'CREATE TABLE people (id integer PRIMARY KEY, name text)',
    `INSERT INTO people VALUES (1, 'old')`,
  );
  // A limit on the size of a file fails a write as a full disk does.
  const script = `trap '' XFSZ; ulimit -f 20000; exec "$0" "$@"`;
  const child = spawn('sh', ['-c', script, process.execPath, fixture, folder, 'append'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await once(child, 'close');
  t.match(output, /TARGET The disk of the target is full/);
  t.strictSame(await rowsOf(c, 'SELECT * FROM people'), [{ id: 1, name: 'old' }]);
});

t.test('two loads of one file wait for each other, without holding the thread', async (t) => {
  const folder = t.testdir();
  const c = await sqliteDriver.connect({ path: 't.db' }, contextOf(folder));
  t.teardown(() => c.close());
  const first = await c.openWriter(load({ mode: 'append', object: 'a' }));
  const second = await c.openWriter(load({ mode: 'append', object: 'b' }));
  await first.write(batchOf([{ id: 1 }]));
  const waiting = second.write(batchOf([{ id: 2 }]));
  await first.write(batchOf([{ id: 3 }]));
  await first.commit();
  await waiting;
  t.strictSame(await second.commit(), { rows: 1 });
  t.equal((await rowsOf(c, 'SELECT id FROM a UNION ALL SELECT id FROM b')).length, 3);
  t.strictSame(
    readdirSync(folder).filter((name) => name.includes('stage')),
    [],
  );
});

t.test('replace keeps triggers and a key that counts up', async (t) => {
  const folder = t.testdir();
  const c = await sqliteDriver.connect({ path: 't.db' }, contextOf(folder));
  t.teardown(() => c.close());
  await execute(
    c,
    'CREATE TABLE [people]( id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT COLLATE NOCASE UNIQUE, n INT AS (id * 2)) ',
    'CREATE TABLE log (what TEXT)',
    `CREATE TRIGGER g AFTER INSERT ON people BEGIN INSERT INTO log VALUES (new.name); SELECT 1; END`,
  );
  await writeAll(c, { mode: 'replace', object: 'PEOPLE' }, batchOf([{ ID: 5, name: 'a' }]));
  await execute(c, `INSERT INTO people (name) VALUES ('b')`);
  t.strictSame(await rowsOf(c, 'SELECT * FROM people'), [
    { id: 5, name: 'a', n: 10 },
    { id: 6, name: 'b', n: 12 },
  ]);
  t.strictSame(await rowsOf(c, 'SELECT * FROM log'), [{ what: 'b' }]);
  await t.rejects(execute(c, `INSERT INTO people (name) VALUES ('A')`), fault('DATA'));
});

t.test('programs that make the same file, table and columns at once all succeed', async (t) => {
  const folder = t.testdir();
  const names = ['a', 'b', 'c', 'd'];
  const children = names.map((name) =>
    spawn(process.execPath, [`${import.meta.dirname}/load-once-main.ts`, folder, name], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  await Promise.all(children.map((child) => once(child.stdout, 'data')));
  for (const child of children) child.stdin.write('go\n');
  const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));
  t.strictSame(codes, [0, 0, 0, 0]);
  const c = await sqliteDriver.connect({ path: 't.db' }, contextOf(folder));
  t.teardown(() => c.close());
  const rows = await rowsOf(c, 'SELECT id, c_a, c_b, c_c, c_d FROM people ORDER BY id');
  t.strictSame(
    rows.map((row) => Object.values(row)),
    names.map((name, n) => [name, ...names.map((_, at) => (at === n ? 1 : null))]),
  );
});
