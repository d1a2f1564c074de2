import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { DeadLetter } from '../../src/base/run-report.ts';
import { type Connectors, createKeeper, runYaml } from './support/task-run.ts';

/** The origin, column and value of each dead letter of a task with these steps after its extract. */
async function lettersOf(t: Test, source: Connectors[string], read: object, later: readonly object[]) {
  const folder = t.testdir();
  const { type, config } = source;
  const { file, content, ...rest } = config as { file?: string; content?: string };
  if (file !== undefined) writeFileSync(join(folder, file), content ?? '');
  const target = { type: 'dummy', config: { fail_rows: { field: 'id', values: [3, 8] } } };
  const yaml = JSON.stringify({
    version: 1,
    name: 'origins',
    connectors: { source: { type }, target: { type: 'dummy' } },
    steps: [{ id: 'read', kind: 'extract', connector: 'source', ...read }, ...later],
  });
  const keeper = createKeeper();
  const outcome = await runYaml({
    folder,
    yaml,
    connectors: { source: { type, config: { ...rest, ...(file !== undefined && { path: file }) } }, target },
    keeper,
  });
  t.equal(outcome.failure, null);
  return keeper.letters.map(({ origin, column, value }: DeadLetter) => ({ origin, column, value }));
}

const LATER = [
  {
    id: 'shape',
    kind: 'transform',
    input: 'read',
    ops: [{ filter: 'item.id != 2' }, { cast: { n: 'integer' } }],
    on_error: 'dead_letter',
    batch: { size: 2 },
  },
  {
    id: 'write',
    kind: 'load',
    input: 'shape',
    connector: 'target',
    object: 'all',
    when: 'item.id != 4',
    on_error: 'dead_letter',
    batch: { size: 2 },
  },
];

t.test('a row of a CSV file comes from the line on which its record begins', async (t) => {
  const content = 'id,n,s\n1,1,"a\nb\n"\n2,2,\n\n3,3,\n4,4,\n5,x,\n6,6,"c\nd"\n7,7,\n8,8,\n';
  const source = { type: 'csv', config: { file: 'in.csv', content } };
  const expected = [
    { origin: { file: 'in.csv', line: 9 }, column: 'n', value: 'x' },
    { origin: { file: 'in.csv', line: 7 }, column: 'id', value: 3 },
    { origin: { file: 'in.csv', line: 13 }, column: 'id', value: 8 },
  ];
  const byLine = (a: { origin?: unknown }, b: { origin?: unknown }) =>
    JSON.stringify(a.origin) < JSON.stringify(b.origin) ? -1 : 1;
  for (const batch of [{ size: 1 }, { size: 3 }, { size: 1_000 }]) {
    const letters = await lettersOf(t, source, { method: 'read', batch }, LATER);
    t.same(letters.sort(byLine), expected.sort(byLine), `batches of ${batch.size}`);
  }
  const args = { filter: { id: { gte: 5 } } };
  const cursor = { field: 'id', type: 'integer', initial: 0 };
  t.same((await lettersOf(t, source, { method: 'read', args, cursor }, LATER)).sort(byLine), [
    { origin: { file: 'in.csv', line: 13, cursor: { id: 8 } }, column: 'id', value: 8 },
    { origin: { file: 'in.csv', line: 9, cursor: { id: 5 } }, column: 'n', value: 'x' },
  ]);
});

t.test('of NDJSON from its line, of a JSON list from its record', async (t) => {
  const rows = [1, 2, 3].map((id) => `{"id":${id},"n":"${id === 1 ? 'x' : id}"}`);
  const origins = async (file: string, content: string) =>
    (await lettersOf(t, { type: 'json', config: { file, content } }, { method: 'read' }, LATER)).map(
      ({ origin }) => origin,
    );
  t.same(await origins('in.ndjson', `\n${rows.join('\n\n')}\n`), [
    { file: 'in.ndjson', line: 2 },
    { file: 'in.ndjson', line: 6 },
  ]);
  t.same(await origins('in.json', `[${rows.join(',')}]`), [
    { file: 'in.json', record: 1 },
    { file: 'in.json', record: 3 },
  ]);
});

t.test('of any other source from its number, with its key', async (t) => {
  const source = { type: 'dummy', config: { generate: { count: 4, columns: ['id', 'n'] } } };
  t.same(await lettersOf(t, source, { method: 'list' }, LATER), [
    { origin: { record: 1, key: { id: 1 } }, column: 'n', value: 'n 1' },
    { origin: { record: 3, key: { id: 3 } }, column: 'n', value: 'n 3' },
    { origin: { record: 4, key: { id: 4 } }, column: 'n', value: 'n 4' },
  ]);
});

t.test('a row that ends its run is named by its key and its line', async (t) => {
  const folder = t.testdir({ 'in.csv': 'id,n\n1,1\n2,x\n' });
  const outcome = await runYaml({
    folder,
    yaml: JSON.stringify({
      version: 1,
      name: 'stops',
      connectors: { source: { type: 'csv' } },
      steps: [
        { id: 'read', kind: 'extract', connector: 'source', method: 'read', args: { typed: false } },
        { id: 'shape', kind: 'transform', input: 'read', ops: [{ cast: { n: 'integer' } }] },
      ],
    }),
    connectors: { source: { type: 'csv', config: { path: 'in.csv' } } },
  });
  t.match(outcome.failure, {
    code: 'CAST_ERROR',
    message: 'Column "n": "x" is not an integer (row id="2" on line 3 of in.csv)',
  });
});
