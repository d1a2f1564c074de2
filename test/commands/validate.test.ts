import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { runCli } from '../support/run-cli.ts';

const TASK = `version: 1
name: load-orders
connectors: { orders: { type: csv }, db: { type: sqlite } }
steps:
  - { id: read, kind: extract, connector: orders, method: read }
  - { id: write, kind: load, input: read, connector: db, object: orders, mode: append }
`;

t.test('validate tells every problem of every document with its place', async (t) => {
  const cwd = t.testdir({
    'good.yaml': TASK,
    'template.yaml': 'name: t\ntasks: { a: { task: 5 } }\n',
    'board.yaml': 'title: b\nwidgets: 5\n',
    'other.yaml': 'a: 1\n',
  });
  t.equal((await runCli(['validate', 'good.yaml'], { cwd })).code, 0);
  const { code, stdout } = await runCli(
    ['validate', 'good.yaml', 'template.yaml', 'board.yaml', 'other.yaml'],
    { cwd },
  );
  t.equal(code, 1);
  t.match(stdout, /^ok {2}good\.yaml \(task\)\n/);
  t.match(stdout, /\ntemplate\.yaml:2:\d+: error: /);
  t.match(stdout, /\nboard\.yaml:2:\d+: error: /);
  t.match(stdout, /\nother\.yaml:1:1: error: This is not a task/);
  const json = JSON.parse((await runCli(['validate', 'template.yaml', '--json'], { cwd })).stdout);
  t.match(json, { ok: false, files: [{ file: 'template.yaml', kind: 'job-template' }] });
  t.equal((await runCli(['validate', 'none.yaml'], { cwd })).code, 2);
});

t.test('validate holds a job template against the tasks given with it and beside it', async (t) => {
  const cwd = t.testdir({
    'good.yaml': TASK,
    alone: { 'template.yaml': 'name: t\ntasks: { a: { task: load-order } }\n' },
    'template.yaml': 'name: t\ntasks: { a: { task: elsewhere } }\n',
    'args.yaml': 'name: t\ntasks:\n  a: { task: load-orders, args: { no: 1 } }\n',
  });
  const given = await runCli(['validate', 'alone/template.yaml', 'good.yaml'], { cwd });
  t.match(given, {
    code: 1,
    stdout: /^alone\/template\.yaml:2:21: error: There is no task "load-order"; did you mean "load-orders"/m,
  });
  const alone = await runCli(['validate', 'template.yaml'], { cwd });
  t.match(alone, {
    code: 0,
    stdout:
      /^ok .*\ntemplate\.yaml: note: no file of the task "elsewhere" was given: not checked against it$/m,
  });
  const beside = await runCli(['validate', 'args.yaml'], { cwd });
  t.match(beside, { code: 1, stdout: /^args\.yaml:3:\d+: error: .* declares no argument "no"/m });
  const json = JSON.parse((await runCli(['validate', 'template.yaml', '--json'], { cwd })).stdout);
  t.match(json, { ok: true, files: [{ unchecked: [/"elsewhere"/] }] });
});

t.test('validate holds documents against each other, and with --online against the connectors', async (t) => {
  const cwd = t.testdir({
    'task.yaml': `version: 1
name: load
connectors: { file: {type: csv}, db: {type: sqlite} }
args: { day: { type: string, required: true } }
steps:
  - { id: old, kind: extract, connector: db, method: list, args: { table: orderz } }
  - { id: some, kind: extract, connector: db, method: list, args: { table: orders, columns: [id, nam], filter: { dya: "{{ args.day }}" }, sort: [-id] } }
  - { id: r, kind: extract, connector: file, method: read, args: { columns: [ids] } }
  - { id: w, kind: load, input: r, connector: db, object: made, mode: append }
`,
    'template.yaml':
      'name: t\nconnectors: { file: {type: csv}, db: {type: sqlite} }\ntasks:\n  a: { task: load, args: { dy: x } }\n',
    'board.yaml': 'widgets: [{ id: a, type: table, connector: bd, method: list, args: { table: orders } }]\n',
    'rows.csv': 'id,day\n1,2026-01-01\n',
  });
  const db = new DatabaseSync(join(cwd, 'db.sqlite'));
  db.exec('create table orders (id integer, name text, day text)');
  db.close();
  const files = ['task.yaml', 'template.yaml', 'board.yaml'];
  const beside = await runCli(['validate', ...files], { cwd });
  t.match(beside.stdout, /template\.yaml:4:3: error: The task "load" needs the argument "day"/);
  t.match(beside.stdout, /template\.yaml:4:28: error: .* declares no argument "dy"; did you mean "day"\?/);
  t.match(
    beside.stdout,
    /board\.yaml:1:\d+: error: The job template has no connector "bd"; did you mean "db"\?/,
  );
  const given = ['--connector', 'db=sqlite:db.sqlite', '--connector', 'file=csv:rows.csv'];
  const online = await runCli(['validate', 'task.yaml', '--online', ...given], { cwd });
  t.equal(online.code, 1);
  t.match(online.stdout, /task\.yaml:6:75: error: There is no table "orderz"; did you mean "orders"\?/);
  t.match(online.stdout, /task\.yaml:7:\d+: error: There is no column "nam"; did you mean "name"\?/);
  t.match(online.stdout, /task\.yaml:7:\d+: error: There is no column "dya"; did you mean "day"\?/);
  t.match(online.stdout, /task\.yaml:8:\d+: error: There is no column "ids"; did you mean "id"\?/);
  t.equal(online.stdout.trim().split('\n').length, 4, 'a load makes its table');
  t.equal((await runCli(['validate', 'task.yaml', ...given], { cwd })).code, 2, 'they act with --online');
  const gone = await runCli(['validate', 'task.yaml', '--online', '--connector', 'file=csv:gone.csv'], {
    cwd,
  });
  t.match(gone.stdout, /task\.yaml:3:\d+: error: Querying the connector "file" failed: /);
});

t.test(
  'validate --online lets a load make its database, and asks for no file whose name is worked out',
  async (t) => {
    const cwd = t.testdir({
      shops: { 'a.csv': 'id\n1\n' },
      'task.yaml': `version: 1
name: shops
connectors: { shops: {type: csv}, db: {type: sqlite}, old: {type: sqlite} }
steps:
  - id: each
    kind: foreach
    in_expr: "['a']"
    as: shop
    steps:
      - { id: r, kind: extract, connector: shops, method: read, args: { file: "{{ shop }}.csv" } }
      - { id: w, kind: load, input: r, connector: db, object: rows, mode: append }
  - { id: back, kind: call, connector: db, method: count, args: { table: rows } }
  - { id: before, kind: call, connector: old, method: count, args: { table: rows } }
`,
    });
    const db = (config: string) => ['--connector', `db=@${config}.yaml`];
    writeFileSync(join(cwd, 'made.yaml'), 'type: sqlite\nconfig: { path: made.db }\n');
    writeFileSync(join(cwd, 'kept.yaml'), 'type: sqlite\nconfig: { path: kept.db, create: false }\n');
    const args = ['validate', 'task.yaml', '--online', '--connector', 'shops=csv:shops'];
    t.match(await runCli([...args, ...db('made')], { cwd }), { code: 0, stdout: /^ok / });
    const missing = (name: string) =>
      new RegExp(`error: .* failed: The database file "${name}" does not exist[^\n]+\n$`);
    t.match(await runCli([...args, ...db('kept')], { cwd }), { code: 1, stdout: missing('kept.db') });
    const old = await runCli([...args, ...db('made'), '--connector', 'old=sqlite:old.db'], { cwd });
    t.match(old, { code: 1, stdout: missing('old.db') });
  },
);
