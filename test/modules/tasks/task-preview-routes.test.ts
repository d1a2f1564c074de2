import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openTestStore } from '../../support/stores.ts';
import { startWorkerPool } from '../../support/worker-pool.ts';
import { createDefinitionsApp, type Refusal } from '../jobs/definitions-app.ts';

const YAML = `
version: 1
name: people
connectors: { people: { type: csv }, store: { type: csv } }
args: { least: { type: integer, default: 30 } }
steps:
  - { id: read, kind: extract, connector: people, method: read, args: {} }
  - id: shape
    kind: transform
    input: read
    ops:
      - filter: "item.age >= args.least"
      - set: { name: "$uppercase(item.name)" }
  - { id: write, kind: load, input: shape, connector: store, object: out.csv, mode: replace }
`;

interface Preview {
  failure: { code: string; message: string; step: string | null } | null;
  steps: { step_id: string; status: string; rows: Record<string, unknown>[]; rows_in: number }[];
  example: unknown;
}

interface Evaluated {
  readonly value: unknown;
  readonly item: Record<string, unknown> | null;
  readonly problem: { readonly message: string; readonly position: number | null } | null;
}

t.test('an expression of a task is evaluated on a row, behind the operations before it', async (t) => {
  const pool = await startWorkerPool(t, { fileRoots: [t.testdir({})] });
  const { as } = await createDefinitionsApp(t, await openTestStore(t, 'sqlite'), pool);
  const evaluate = async (body: object) => {
    const asked = { yaml_content: YAML, step: 'shape', row: { name: 'ada', age: 36 }, ...body };
    const answer = await as('editor').post<Evaluated>('/api/tasks/evaluate', asked);
    t.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  t.match(await evaluate({ expression: 'item.age >= args.least' }), { value: true, problem: null });
  t.match(await evaluate({ expression: 'item.age >= args.least', args: { least: 40 } }), { value: false });
  const upper = { ops_before: 2, expression: '$length(item.name) & item.name' };
  t.match(await evaluate(upper), { value: '3ADA', item: { name: 'ADA', age: 36 } });
  t.match(await evaluate({ ...upper, row: { name: 'bob', age: 20 } }), {
    value: null,
    item: null,
    problem: { message: /filters out the row/ },
  });
  t.match(await evaluate({ ...upper, row: { name: 7, age: 36 } }), {
    problem: { message: /^A preceding operation rejects the row: .*uppercase/ },
  });
  t.match(await evaluate({ expression: 'item.age +' }), { problem: { position: 10 } });
  t.match(await evaluate({ expression: '$uppercase(item.age)' }), {
    value: null,
    problem: { message: /uppercase/, position: 0 },
  });
  t.match(await evaluate({ expression: 'item.none' }), { value: null, problem: null });
  t.match(await evaluate({ step: 'other', expression: '1' }), { problem: { message: /no step "other"/ } });
  t.match(await evaluate({ expression: '[1..100000]' }), { problem: { message: /longer than 50000/ } });
  t.match(await evaluate({ yaml_content: 'version: 1', expression: '1' }), {
    problem: { message: /required/ },
  });
  const viewer = await as('viewer').post('/api/tasks/evaluate', {
    yaml_content: YAML,
    step: 'shape',
    expression: '1',
    row: {},
  });
  t.equal(viewer.status, 403, 'the right of a preview');
});

t.test('a preview of a task over a real file', async (t) => {
  const folder = t.testdir({ 'people.csv': 'name,age\nada,36\nbob,20\ncyd,41\n', 'out.csv': 'name,age\n' });
  const pool = await startWorkerPool(t, { fileRoots: [folder] });
  const { as } = await createDefinitionsApp(t, await openTestStore(t, 'sqlite'), pool);
  const idOf = async (name: string, type: string, config: object) =>
    (await as('admin').post<{ id: number }>('/api/connectors', { name, type, config })).body.id;
  const people = await idOf('people', 'csv', { path: join(folder, 'people.csv') });
  const store = await idOf('store', 'csv', { path: join(folder, 'out.csv') });
  const dummy = await idOf('other', 'dummy', {});
  const ask = (body: object) => as('editor').post<Preview & Refusal>('/api/tasks/preview', body);

  t.test('gives the rows of each step, and writes nothing', async (t) => {
    const answer = await ask({ yaml_content: YAML, connectors: { people, store } });
    t.equal(answer.status, 200);
    t.equal(answer.body.failure, null);
    t.same(
      answer.body.steps.map((step) => [step.step_id, step.status, step.rows]),
      [
        [
          'read',
          'success',
          [
            { name: 'ada', age: 36 },
            { name: 'bob', age: 20 },
            { name: 'cyd', age: 41 },
          ],
        ],
        [
          'shape',
          'success',
          [
            { name: 'ADA', age: 36 },
            { name: 'CYD', age: 41 },
          ],
        ],
        [
          'write',
          'success',
          [
            { name: 'ADA', age: 36 },
            { name: 'CYD', age: 41 },
          ],
        ],
      ],
    );
    t.match(answer.body.steps[2], { would: { action: 'load', mode: 'replace', rows: 2 } });
    t.equal(answer.body.example, null, 'it was not asked for');
    const recorded = await ask({ yaml_content: YAML, connectors: { people, store }, rows: 1, record: 'ada' });
    t.same(recorded.body.example, {
      name: 'ada',
      input: { read: [{ name: 'ada', age: 36 }] },
      expect: { shape: [{ name: 'ADA', age: 36 }] },
    });
    t.equal(readFileSync(join(folder, 'out.csv'), 'utf8'), 'name,age\n');
  });

  t.test('takes arguments and a number of rows', async (t) => {
    const body = { yaml_content: YAML, connectors: { people, store }, args: { least: 0 }, rows: 2 };
    t.match((await ask(body)).body.steps[1]?.rows, [{ name: 'ADA' }, { name: 'BOB' }]);
    t.match(await ask({ ...body, rows: 101 }), { status: 400 });
  });

  t.test('names every connector that does not exist', async (t) => {
    const answer = await ask({ yaml_content: YAML, connectors: { people: 998, store: 999 } });
    t.match(answer, { status: 400, body: { error: 'VALIDATION_ERROR' } });
    t.same(answer.body.details.map((problem) => problem.path).sort(), [
      'connectors.people',
      'connectors.store',
    ]);
  });

  t.test('says what is wrong with a text or a connector', async (t) => {
    const mismatched = await ask({ yaml_content: YAML, connectors: { people: dummy, store } });
    t.match(mismatched.body.failure, { code: 'VALIDATION_ERROR', message: /"people" is dummy, not csv/ });
    const broken = await ask({ yaml_content: 'version: 1\nname: x\nsteps: []\n' });
    t.match(broken.body.failure, { code: 'VALIDATION_ERROR', message: /line 3/ });
  });

  t.test('is for those who may edit tasks', async (t) => {
    t.equal((await as('operator').post('/api/tasks/preview', { yaml_content: YAML })).status, 403);
  });
});
