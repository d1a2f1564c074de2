import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ofFullList } from '../support/fault-list.ts';
import { runCli } from '../support/run-cli.ts';

const TASK = `version: 1
name: load_orders
# stays as it is
connectors: { orders: {type: csv}, db: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: orders, method: read }
  - { id: shape, kind: transform, input: read, ops: [{ filter: item.paid }] }
  - { id: sum, kind: sql, inputs: { o: shape }, query: "SELECT sum(amount) AS total FROM o" }
  - { id: write, kind: load, input: shape, connector: db, object: orders, mode: merge, key: [id] }
`;
const FILES = { 'task.yaml': TASK, 'orders.csv': 'id,amount,paid\n1,10,true\n2,5,false\n3,7,true\n' };
const BIND = ['--connector', 'orders=csv:orders.csv', '--connector', 'db=sqlite:out.db'];

t.test('a preview says what would be written, and recorded it is an example that holds', async (t) => {
  const cwd = t.testdir(FILES);
  const text = () => readFileSync(join(cwd, 'task.yaml'), 'utf8');
  const preview = (...more: readonly string[]) => runCli(['preview', 'task.yaml', ...BIND, ...more], { cwd });
  const first = await preview('--record', 'paid ones');
  t.equal(first.code, 0, first.stderr);
  t.match(first.stdout, /would load 2 rows into "orders" of db \(merge by id\)/);
  t.match(first.stdout, '{"id":1,"amount":10,"paid":true}', 'in the order of the columns');
  t.ok(text().startsWith(TASK), 'what was there stays as it was written');
  const tested = () => runCli(['test', 'task.yaml'], { cwd });
  t.match((await tested()).stdout, /ok {2}task\.yaml: paid ones\n\n1 passed, 0 failed/);
  t.notOk(existsSync(join(cwd, 'out.db')), 'nothing is written');

  const before = text();
  const taken = await preview('--record', 'paid ones');
  t.equal(taken.code, 2);
  t.match(taken.stderr, /has an example "paid ones" already; choose another name/);
  t.equal((await preview('--rows', '101')).code, 2);
  const { stdout } = await preview('--json');
  t.equal(text(), before, 'nothing is recorded unasked');
  t.match(JSON.parse(stdout), { failure: null, example: null, steps: [{ step_id: 'read' }, {}, {}, {}] });
  await t.test('a second one comes behind the first', ofFullList, async (t) => {
    t.equal((await preview('--record', 'one', '--rows', '1')).code, 0);
    t.ok(text().startsWith(before));
    const both = /ok {2}task\.yaml: paid ones\nok {2}task\.yaml: one\n\n2 passed, 0 failed/;
    t.match((await tested()).stdout, both);
  });
});

t.test('a preview says what a run would verify, and compares nothing', async (t) => {
  const check = `  - { id: check, kind: verify, source: { connector: orders, method: read }, target: { connector: db, object: orders }, key: [id] }\n`;
  const yaml = TASK.replace('mode: merge, key: [id]', '$&, verify: true') + check;
  const cwd = t.testdir({ ...FILES, 'task.yaml': yaml });
  const { code, stdout, stderr } = await runCli(['preview', 'task.yaml', ...BIND], { cwd });
  t.equal(code, 0, stderr);
  t.match(stdout, '(merge by id); then verify them in the target (on a difference: fail)');
  t.match(
    stdout,
    'would verify that db.orders has the rows of orders.read by id (on a difference: fail); a preview compares nothing',
  );
});

t.test('what a script made is part of the example that is recorded', ofFullList, async (t) => {
  const script = `  - { id: code, kind: script, input: shape, language: javascript, code: "export default (o) => ({ ...o, tag: '#' + o.id })" }\n`;
  const cwd = t.testdir({ ...FILES, 'task.yaml': TASK.replace('  - { id: sum', `${script}  - { id: sum`) });
  const recorded = await runCli(['preview', 'task.yaml', ...BIND, '--record', 'tagged'], { cwd });
  t.equal(recorded.code, 0, recorded.stderr);
  const text = () => readFileSync(join(cwd, 'task.yaml'), 'utf8');
  t.match(text(), /expect:[\s\S]+code:\n[\s\S]+tag: "#3"/);
  t.match((await runCli(['test', 'task.yaml'], { cwd })).stdout, /1 passed, 0 failed/);
  writeFileSync(join(cwd, 'task.yaml'), text().replace("'#' + o.id", "'!' + o.id"));
  const broken = await runCli(['test', 'task.yaml'], { cwd });
  t.equal(broken.code, 1, 'the example notices a script that has changed');
  t.match(broken.stdout + broken.stderr, /code/);
});

t.test('what cannot be an example is not recorded', async (t) => {
  const flow = `${TASK}tests: [{ name: a, input: [], expect: [] }]\n`;
  const random = TASK.replace('{ filter: item.paid }', '{ set: { x: $random() } }');
  const cwd = t.testdir({ ...FILES, 'flow.yaml': flow, 'random.yaml': random });
  const record = (file: string) => runCli(['preview', file, ...BIND, '--record', 'b'], { cwd });
  await t.test('the list is in brackets', ofFullList, async (t) => {
    const inBrackets = await record('flow.yaml');
    t.equal(inBrackets.code, 2);
    t.match(inBrackets.stderr, /written in \[brackets\]; write them as a list with dashes/);
  });
  const changing = await record('random.yaml');
  t.equal(changing.code, 1);
  t.match(changing.stderr, /not recorded: rerun from its rows, the step "shape" returns different rows/);
  t.equal(readFileSync(join(cwd, 'random.yaml'), 'utf8'), random);
});
