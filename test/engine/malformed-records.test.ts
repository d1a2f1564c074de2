import { join } from 'node:path';
import t, { type Test } from 'tap';
import { MALFORMED_BYTES_MAX } from '../../src/engine/pipeline/malformed-item.ts';
import { createKeeper, rowsOf, runYaml } from './support/task-run.ts';

const CONNECTORS = {
  source: { type: 'csv', config: { path: 'in.csv' } },
  target: { type: 'sqlite', config: { path: 'out.db' } },
};

/** A task that reads `in.csv` into a table, with `on_error` for the extract. */
async function load(t: Test, csv: string, onError: unknown) {
  const folder = t.testdir({ 'in.csv': csv });
  const yaml = JSON.stringify({
    version: 1,
    name: 'read',
    connectors: { source: { type: 'csv' }, target: { type: 'sqlite' } },
    steps: [
      { id: 'read', kind: 'extract', connector: 'source', method: 'read', on_error: onError },
      { id: 'write', kind: 'load', input: 'read', connector: 'target', object: 'rows' },
    ],
  });
  const keeper = createKeeper();
  const outcome = await runYaml({ folder, yaml, connectors: CONNECTORS, keeper });
  const loaded = outcome.rows_out > 0 ? rowsOf(join(folder, 'out.db'), 'SELECT id FROM rows') : [];
  return { outcome, letters: keeper.letters, ids: loaded.map(({ id }) => id), logs: keeper.logs };
}

const SOME = 'id,name\n1,Ann\n2\n3,Cy\n4,Di,more\n5,Ed\n';

t.test(
  'malformed lines become dead letters of the extract, and the rows around them are loaded',
  async (t) => {
    const { outcome, letters, ids } = await load(t, SOME, 'dead_letter');
    t.strictSame(ids, [1, 3, 5]);
    t.strictSame(letters, [
      {
        step_id: 'read',
        code: 'MALFORMED_RECORD',
        message: 'The file "in.csv", line 3: there is 1 field, but the file has 2 columns',
        item: { raw: '2', encoding: 'utf-8', bytes: 1 },
        origin: { file: 'in.csv', line: 3 },
      },
      {
        step_id: 'read',
        code: 'MALFORMED_RECORD',
        message: 'The file "in.csv", line 5: there are more fields than the 2 columns of the file',
        item: { raw: '4,Di,more', encoding: 'utf-8', bytes: 9 },
        origin: { file: 'in.csv', line: 5 },
      },
    ]);
    t.match(outcome, { status: 'warning', reason: 'item_errors', rows_in: 5, rows_out: 3, rows_failed: 2 });
    t.match(outcome.steps, [
      { step_id: 'read', status: 'warning', rows_in: 5, rows_out: 3, rows_failed: 2 },
      { step_id: 'write', status: 'success', rows_in: 3, rows_out: 3, rows_failed: 0 },
    ]);
  },
);

t.test('skip counts them, and fail ends the extract with nothing loaded', async (t) => {
  const skipped = await load(t, SOME, 'skip');
  t.match(skipped.outcome, { status: 'warning', rows_failed: 2 });
  t.strictSame(skipped.letters, []);
  t.strictSame(skipped.ids, [1, 3, 5]);
  const failed = await load(t, SOME, 'fail');
  t.match(failed.outcome, { status: 'error', failure: { step_id: 'read', message: /line 3/ } });
  t.strictSame(failed.letters, []);
});

t.test('max_errors and max_error_rate bound them', async (t) => {
  const within = await load(t, SOME, { action: 'skip', max_errors: 2, max_error_rate: 0.4 });
  t.equal(within.outcome.status, 'warning');
  const many = await load(t, SOME, { action: 'dead_letter', max_errors: 1 });
  t.match(many.outcome, { status: 'error', failure: { code: 'TOO_MANY_ITEM_ERRORS', step_id: 'read' } });
  t.equal(many.letters.length, 2, 'what has failed is kept');
  const rate = await load(t, SOME, { action: 'skip', max_error_rate: 0.39 });
  t.match(rate.outcome, { status: 'error', failure: { message: /2 of 5 items failed/ } });
  const good = (from: number) => Array.from({ length: 950 }, (_, i) => `${from + i},x\n`).join('');
  const early = `id,name\n${`x\n`.repeat(50)}${good(1)}${'y\n'.repeat(50)}${good(951)}`;
  t.equal((await load(t, early, { action: 'skip', max_error_rate: 0.05 })).outcome.status, 'warning');
});

t.test('a long record is cut', async (t) => {
  const long = `7,"${'é'.repeat(MALFORMED_BYTES_MAX)}"x`;
  const { letters, ids } = await load(t, `id,name\n1,Ann\n${long}\n2,Bo\n`, 'dead_letter');
  t.strictSame(ids, [1, 2]);
  const item = letters[0]?.item as { raw: string; bytes: number };
  t.equal(item.bytes, Buffer.byteLength(long));
  t.ok(
    Buffer.byteLength(item.raw) <= MALFORMED_BYTES_MAX &&
      Buffer.byteLength(item.raw) > MALFORMED_BYTES_MAX - 3,
  );
  t.ok(long.startsWith(item.raw));
});

t.test('a file of malformed lines alone leaves all of them, in order', async (t) => {
  const lines = Array.from({ length: 3_000 }, (_, i) => `line ${i}`);
  const { outcome, letters } = await load(t, `id,name\n${lines.join('\n')}\n`, 'dead_letter');
  t.match(outcome, { status: 'warning', rows_in: 3_000, rows_failed: 3_000, rows_out: 0 });
  t.strictSame(
    letters.map(({ item }) => (item as { raw: string }).raw),
    lines,
  );
});
