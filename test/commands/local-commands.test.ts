import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { readConnectors } from '../../src/commands/run/local-connectors.ts';
import { ofFullList } from '../support/fault-list.ts';
import { runCli } from '../support/run-cli.ts';

const TASK = `version: 1
name: load-orders
connectors: { orders: { type: csv }, db: { type: sqlite } }
args: { min: { type: integer, default: 0 } }
steps:
  - id: read
    kind: extract
    connector: orders
    method: read
    args: { filter: { id: { gt: "{{ state.cursor }}" } } }
    cursor: { field: id, type: integer, initial: "{{ 0 }}" }
  - id: shape
    kind: transform
    input: read
    on_error: { action: dead_letter }
    ops:
      - map: { id: item.id, name: $uppercase(item.name), amount: $number(item.amount) }
      - filter: item.amount >= args.min
  - { id: write, kind: load, input: shape, connector: db, object: orders, mode: append }
tests:
  - name: names in capitals
    input: [{ id: 1, name: ada, amount: "5" }]
    expect: [{ id: 1, name: ADA, amount: 5 }]
`;

const wrongTest = `  - name: small ones stay
    args: { min: 7 }
    input: { read: [{ id: 1, name: ada, amount: "5" }, { id: 2, name: bob, amount: "9" }] }
    expect: { shape: [{ id: 1, name: ADA, amount: 5 }] }
`;

t.test('wrong usage is 2, wrong settings are 78, a server that is not there is 69', async (t) => {
  const cwd = t.testdir({});
  t.equal((await runCli(['nonsense'])).code, 2);
  t.equal((await runCli(['run'])).code, 2);
  t.equal((await runCli(['logs', 'x'])).code, 2);
  t.equal((await runCli(['user', 'create', 'no address'], { cwd })).code, 2);
  const wrong = await runCli(['migrate'], { cwd, env: { SVC_HTTP_PORT: 'x' } });
  t.equal(wrong.code, 78);
  t.match(wrong.stderr, /SVC_HTTP_PORT/);
  const gone = await runCli(['logs', '1', '--json'], { env: { SVC_SERVER: 'http://127.0.0.1:1' } });
  t.equal(gone.code, 69);
  t.equal(JSON.parse(gone.stderr).error, 'UNREACHABLE');
  const unasked = ['backfill', '1', '--from', '2026-01-01', '--to', '2026-01-02'];
  t.match(await runCli(unasked), { code: 2, stderr: /--yes/ });
});

t.test('run says why a step failed that was allowed to', async (t) => {
  const cwd = t.testdir({
    'task.yaml': `version: 1
name: allowed
connectors: { files: {type: csv} }
steps:
  - { id: absent, kind: extract, connector: files, method: read, args: {file: none.csv}, allow_failure: true }
  - { id: check, kind: assert, check_expr: 1 = 2, message: too few, allow_failure: true }
  - { id: last, kind: assert, check_expr: 1 = 3, message: far too few }
`,
  });
  const { code, stdout } = await runCli(['run', 'task.yaml', '--connector', 'files=csv:.'], { cwd });
  t.equal(code, 1);
  t.match(stdout, /\nabsent: The file "none\.csv" does not exist[^\n]*\ncheck: [^\n]*too few\n/);
  t.equal(stdout.split('far too few').length, 2, 'what ended the run is told once');
});

t.test('run moves a file into a table without a server, and says what each step did', async (t) => {
  const cwd = t.testdir({
    'load.yaml': TASK,
    'orders.csv': 'id,name,amount\n1,Ada,10\n2,Bob,x\n3,Cy,30\n4,Di,2\n',
    'connectors.yaml':
      // biome-ignore lint/suspicious/noTemplateCurlyInString: of the file's own language
      'orders: { type: csv, config: { path: "${env:ORDERS}" } }\nother: { type: csv, config: { path: "${env:NOT_SET}" } }\n',
  });
  const env = { ORDERS: 'orders.csv' };
  const args = ['run', 'load.yaml', '--connector', 'db=sqlite:out.db', '--state', 'state.json'];
  const first = await runCli([...args, '--arg', 'min=5'], { cwd, env });
  t.equal(first.code, 0, first.stderr);
  t.match(first.stdout, /^step +kind +status +rows in +rows out +failed +skipped +filtered +time +rows\/s\n/);
  t.match(first.stdout, /\nshape +transform +warning +4 +2 +1 +0 /);
  t.match(first.stdout, /\nwrite +load +success +2 +2 +0 +0 /);
  t.match(first.stdout, /\nread: from 0, up to 4\n/);
  t.match(first.stderr, /info {2}read: extract started/);
  const letters = readFileSync(join(cwd, 'load.dead-letters.ndjson'), 'utf8').trim().split('\n');
  t.match(
    letters.map((line) => JSON.parse(line)),
    [{ step: 'shape', code: 'EXPRESSION_ERROR', item: { id: 2, amount: 'x' } }],
  );
  const db = new DatabaseSync(join(cwd, 'out.db'), { readOnly: true });
  t.teardown(() => db.close());
  const rows = () =>
    db
      .prepare('select id, name, amount from orders order by id')
      .all()
      .map((row) => ({ ...row }));
  t.same(rows(), [
    { id: 1, name: 'ADA', amount: 10 },
    { id: 3, name: 'CY', amount: 30 },
  ]);

  writeFileSync(join(cwd, 'orders.csv'), 'id,name,amount\n4,Di,2\n5,Ed,50\n');
  const again = await runCli([...args, '--json'], { cwd, env });
  t.equal(again.code, 0, again.stderr);
  t.match(JSON.parse(again.stdout), {
    status: 'success',
    items: { out: 1 },
    steps: [{ cursor: { from: 4, to: 5 } }, {}, {}],
    dead_letters: 0,
  });
  t.equal(rows().length, 3, 'the cursor of --state is where the first run left it');
});

t.test('a run that fails is 1, and what is missing is told before anything happens', async (t) => {
  const cwd = t.testdir({ 'load.yaml': TASK, 'bad.yaml': 'name: x\nsteps: []\n' });
  t.match(await runCli(['run', 'load.yaml'], { cwd }), {
    code: 1,
    stderr: /No connector is given for "orders"[\s\S]*--connector orders=csv:PATH, or in connectors\.yaml/,
  });
  await t.test('wrong files, arguments and connectors', ofFullList, async (t) => {
    t.match(await runCli(['run', 'none.yaml'], { cwd }), {
      code: 2,
      stderr: /"none\.yaml" does not exist\n$/,
    });
    t.match(await runCli(['run', 'bad.yaml'], { cwd }), {
      code: 1,
      stderr: /bad\.yaml:2:8: "steps" must not be empty/,
    });
    t.match(await runCli(['run', 'load.yaml', '--arg', 'mini=1'], { cwd }), {
      code: 2,
      stderr: /available: min/,
    });
    t.match(await runCli(['run', 'load.yaml', '--connector', 'db=oracle:x'], { cwd }), {
      code: 78,
      stderr: /unknown type "oracle"; use one of/,
    });
  });
  t.notOk(existsSync(join(cwd, 'load.dead-letters.ndjson')));
  const connectors = ['--connector', 'orders=csv:none.csv', '--connector', 'db=sqlite:out.db'];
  const missing = await runCli(['run', 'load.yaml', ...connectors], { cwd });
  t.match(missing, { code: 1, stdout: /error in the step "read": The file "none\.csv" does not exist/ });
});

t.test('a path that is typed is allowed, one of a file of connectors is not', async (t) => {
  const yaml =
    'version: 1\nname: t\nconnectors: {file: {type: csv}}\nsteps: [{id: read, kind: extract, connector: file, method: read}]\n';
  const root = t.testdir({ elsewhere: { 'x.csv': 'id\n1\n' }, here: { 't.yaml': yaml } });
  const [cwd, path] = [join(root, 'here'), join(root, 'elsewhere/x.csv')];
  t.match(await runCli(['run', 't.yaml', '--connector', `file=csv:${path}`], { cwd }), { code: 0 });
  writeFileSync(join(cwd, 'connectors.yaml'), `file: {type: csv, config: {path: "${path}"}}\n`);
  t.match(await runCli(['run', 't.yaml'], { cwd }), { code: 1, stderr: /Allow its folder with --file-root/ });
  await t.test('it is where its folder is allowed', ofFullList, async (t) => {
    t.match(await runCli(['run', 't.yaml', '--file-root', join(root, 'elsewhere')], { cwd }), { code: 0 });
  });
});

t.test('test runs the examples of a task, and shows the rows that differ', async (t) => {
  const cwd = t.testdir({ 'good.yaml': TASK, 'wrong.yaml': `${TASK}${wrongTest}` });
  t.match(await runCli(['test', 'good.yaml'], { cwd }), {
    code: 0,
    stdout: /^ok +good\.yaml: names in capitals\n/,
  });
  const wrong = await runCli(['test', 'good.yaml', 'wrong.yaml'], { cwd });
  t.equal(wrong.code, 1);
  t.match(wrong.stdout, /NOT wrong\.yaml: small ones stay\n/);
  t.match(wrong.stdout, /-\{"amount":5,"id":1,"name":"ADA"\}\n +\+\{"amount":9,"id":2,"name":"BOB"\}/);
  t.match(wrong.stdout, /\n2 passed, 1 failed\n$/);
  const json = await runCli(['test', 'wrong.yaml', '--json'], { cwd });
  t.match(JSON.parse(json.stdout), { ok: false, passed: 1, failed: 1 });
});

t.test('run, test and preview refuse names and functions that there are not, as validate does', async (t) => {
  const cwd = t.testdir({
    'task.yaml': `version: 1
name: names
connectors: { shop: { type: csv } }
steps:
  - { id: read, kind: extract, connector: shop, method: read }
  - { id: shape, kind: transform, input: read, ops: [{ set: { n: $upcase(item.n) } }] }
  - { id: end, kind: log, when: steps.raed.count > 0, message: "{{ args.day }}" }
tests: [{ name: one, input: [{ n: a }], expect: [{ n: A }] }]
`,
    'in.csv': 'n\na\n',
  });
  const commands = { validate: [], run: ['--connector', 'shop=csv:in.csv'], test: [], preview: [] };
  for (const [command, options] of Object.entries(commands)) {
    const { code, stdout, stderr } = await runCli([command, 'task.yaml', ...options], { cwd });
    t.equal(code, 1, command);
    const said = stdout + stderr;
    t.match(said, /task\.yaml:6:\d+: .*There is no function "\$upcase"/, command);
    t.match(
      said,
      /task\.yaml:7:\d+: .*There is no step "raed" to read as "steps\.raed"; did you mean "read"\?/,
    );
    t.match(said, /task\.yaml:7:\d+: .*There is no argument "day"/);
  }
});

t.test('run says that it kept no cursor, and counts what a load has removed', ofFullList, async (t) => {
  const cwd = t.testdir({
    'history.yaml': `version: 1
name: history
connectors: { shop: {type: csv}, db: {type: sqlite} }
args: { file: { type: string, required: true } }
steps:
  - { id: read, kind: extract, connector: shop, method: read, args: { file: "{{ args.file }}" } }
  - { id: write, kind: load, input: read, connector: db, object: rows, mode: merge, key: [id], delete_missing: hard }
`,
    'new.yaml': `version: 1
name: new
connectors: { shop: {type: csv} }
steps:
  - { id: read, kind: extract, connector: shop, method: read, args: { file: one.csv }, cursor: { field: id, type: integer } }
`,
    'one.csv': 'id\n1\n2\n3\n',
    'two.csv': 'id\n1\n2\n',
  });
  const given = ['--connector', 'shop=csv:.', '--connector', 'db=sqlite:out.db'];
  const runOf = (file: string) => runCli(['run', 'history.yaml', '--arg', `file=${file}`, ...given], { cwd });
  const first = await runOf('one.csv');
  t.notMatch(first.stdout, /deleted/);
  t.notMatch(first.stderr, /--state/);
  const second = await runOf('two.csv');
  const [head = '', ...steps] = second.stdout.split('\n');
  t.match(head, /filtered +deleted +time +rows\/s$/);
  t.match(steps[1], /^write +load +success +2 +2 +0 +0 +0 +1 /);
  const end = head.indexOf('deleted') + 'deleted'.length;
  t.equal(steps[1]?.slice(end - 2, end), ' 1', 'each figure stands below its name');
  const hint = /Cursors and state were not kept: with --state FILE/;
  t.match((await runCli(['run', 'new.yaml', '--connector', 'shop=csv:.'], { cwd })).stderr, hint);
  const kept = ['run', 'new.yaml', '--connector', 'shop=csv:.', '--state', 's.json'];
  t.notMatch((await runCli(kept, { cwd })).stderr, hint);
});

t.test('a URL of PostgreSQL is a connector of that type', async (t) => {
  for (const url of ['postgres://u@127.0.0.1:5432/x', 'postgresql://127.0.0.1/x?sslmode=disable']) {
    const { byName } = await readConnectors({ file: null, given: [`db=${url}`] }, ['db']);
    t.match(byName['db'], { type: 'postgres', config: { url } });
  }
});
