import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import t from 'tap';
import { ofFullList, oneIn } from '../../support/fault-list.ts';
import { seeded } from '../../support/seed.ts';
import { scripted } from './script-scene.ts';

const rows = [1, 2, 3, 4, 5].map((n) => ({ n, text: `row ${n}` }));

t.test('a function makes none, one or many items of one, also by a promise or a generator', async (t) => {
  const one = await scripted({ rows, code: 'export default (item) => ({ ...item, twice: item.n * 2 })' });
  t.equal(one.status, 'success');
  t.same(one.written[4], { n: 5, text: 'row 5', twice: 10 });
  t.same(one.columns, ['n: integer', 'text: string', 'twice: integer']);
  const forms = {
    list: 'export default ({ n }) => n === 1 ? null : n === 2 ? [{ n }, { n: 20 }] : { n }',
    promise: 'export default async ({ n }) => n === 1 ? undefined : n === 2 ? [{ n }, { n: 20 }] : { n }',
    generator:
      'export default function* ({ n }) { if (n === 1) return; yield { n }; if (n === 2) yield { n: 20 }; }',
    stream:
      'export default async function* ({ n }) { if (n === 1) return; yield { n }; if (n === 2) yield { n: 20 }; }',
    named: 'export const transform = ({ n }) => n === 1 ? [] : n === 2 ? [{ n }, { n: 20 }] : { n }',
  };
  for (const [form, code] of seeded(t).someOf(Object.entries(forms), oneIn(2, 1))) {
    const { written, step } = await scripted({ rows, code });
    t.same(
      written.map(({ n }) => n),
      [2, 20, 3, 4, 5],
      form,
    );
    t.match(step, { rows_in: 5, rows_out: 5, rows_filtered: 1, rows_failed: 0 }, form);
  }
});

t.test('TypeScript, a function by its name, arguments and the place of an item', async (t) => {
  const code = `import { createHash } from 'node:crypto';
    interface Item { readonly n: number }
    export function shape(item: Item, { args, index }: { args: { add: number }; index: number }) {
      return { n: item.n + args.add, index, hash: createHash('sha256').update(String(item.n)).digest('hex').slice(0, 6) };
    }`;
  const keys = { language: 'typescript', function: 'shape', args: { add: 10, unused: '{{ 1 + 1 }}' } };
  const { written, failure } = await scripted({ rows, code, keys });
  t.equal(failure, null);
  t.same(written[2], { n: 13, index: 2, hash: '4e0740' });
});

t.test('values that JSON has not come and go; columns keep the type they came with', async (t) => {
  const special = [{ big: 2n ** 70n, bytes: new Uint8Array([0, 255]), deep: { list: [1n, null] } }];
  const code = `export default (item) => {
    if (typeof item.big !== 'bigint' || item.bytes[1] !== 255 || typeof item.deep.list[0] !== 'bigint') throw new Error('other');
    return { ...item, more: item.big + 1n };
  }`;
  const { written, failure } = await scripted({ rows: special, code });
  t.equal(failure, null);
  t.same(written, [{ ...special[0], more: 2n ** 70n + 1n }]);
});

t.test('items that fail are dead letters with the line of the code; the rest passes', async (t) => {
  const code =
    'export default (item) => {\n  if (item.n % 2 === 0)\n    throw new TypeError("no " + item.n);\n  return item;\n}';
  const kept = await scripted({ rows, code, keys: { on_error: 'dead_letter' } });
  t.match(kept, { status: 'warning', step: { rows_in: 5, rows_out: 3, rows_failed: 2 } });
  t.match(kept.keeper.letters, [
    {
      code: 'SCRIPT_ERROR',
      message: 'TypeError: no 2 (line 3 of the code)',
      item: { n: 2 },
      origin: { record: 2 },
    },
    { item: { n: 4 }, origin: { record: 4 } },
  ]);
  const failed = await scripted({ rows, code });
  t.match(failed, {
    status: 'error',
    failure: { code: 'SCRIPT_ERROR', message: 'TypeError: no 2 (line 3 of the code)' },
  });
  t.same(failed.written, [], 'a load does not commit what came before');
  const wrong = await scripted({ rows: rows.slice(0, 1), code: 'export default () => [[1]]' });
  t.match(wrong.failure, { message: /The function returned a list with a list instead of an item/ });
  const many = await scripted({
    rows: rows.slice(0, 1),
    code: 'export default function* () { for (;;) yield {} }',
  });
  t.match(many.failure, { message: /more than 100,000 items/ });
});

t.test('`when` leaves items out before the code sees them', async (t) => {
  const { step, written } = await scripted({
    rows,
    code: 'export default (item) => item',
    keys: { when: 'item.n > 2' },
  });
  t.match(step, { rows_in: 5, rows_out: 3, rows_skipped: 2 });
  t.equal(written.length, 3);
});

t.test('what a script prints is in the log of its step, up to a number of lines', async (t) => {
  const code = `export default (item) => { console.log('item', item.n); if (item.n === 5) { console.error('oops');
    for (let i = 0; i < 5000; i++) console.log('again'); } return item; }`;
  const { keeper, status } = await scripted({ rows, code });
  t.equal(status, 'success');
  const lines = keeper.logs
    .filter(({ step_id }) => step_id === 'change')
    .map(({ level, message }) => `${level} ${message}`);
  t.ok(lines.includes('info item 1') && lines.includes('warn oops'));
  t.equal(lines.filter((line) => line.endsWith('again')).length <= 1_000, true);
  t.ok(lines.some((line) => /printed 1000 lines/.test(line)));
});

t.test('scripts that are switched off, and code that cannot be loaded', async (t) => {
  const code = 'export default (item) => item';
  t.match(await scripted({ rows, code, access: null }), {
    failure: { code: 'SCRIPT_REFUSED', message: /SVC_SCRIPTS/ },
  });
  const python = {
    rows,
    code: 'def transform(item): return item',
    keys: { language: 'python' },
    access: { python: null },
  };
  t.match(await scripted(python), { failure: { code: 'SCRIPT_REFUSED', message: /SVC_SCRIPT_PYTHON/ } });
  const unloadable = [
    ['export const other = 1', /does not export a default function/],
    ["import fs from 'node:fs'; export default () => fs", /"node:fs" cannot be imported/],
    ['\nthrow new Error("early")', /early \(line 2 of the code\)/],
    ['export default (', /cannot be loaded: SyntaxError/],
  ] as const;
  for (const [wrong, message] of seeded(t).someOf(unloadable, oneIn(2, 1)))
    t.match(await scripted({ rows, code: wrong }), {
      status: 'error',
      failure: { code: 'SCRIPT_ERROR', message },
    });
});

t.test('several processes take batches in turn, and the rows keep their order', async (t) => {
  const many = Array.from({ length: 200 }, (_, n) => ({ n }));
  const code = `const me = Math.random();
    export default async ({ n }) => { await new Promise((done) => setTimeout(done, n % 7)); if (n % 50 === 3) throw new Error('no'); return n % 10 === 0 ? null : { n, me }; }`;
  const keys = { concurrency: 3, on_error: 'dead_letter', batch: { size: 5 } };
  const { written, step, keeper, status } = await scripted({ rows: many, code, keys });
  t.equal(status, 'warning');
  t.match(step, { rows_in: 200, rows_out: 176, rows_filtered: 20, rows_failed: 4 });
  t.same(
    written.map(({ n }) => n),
    many.map(({ n }) => n).filter((n) => n % 10 !== 0 && n % 50 !== 3),
  );
  t.equal(new Set(written.map(({ me }) => me)).size, 3, 'each process took some');
  t.same(
    keeper.letters.map(({ origin }) => origin?.['record']),
    [4, 54, 104, 154],
    'an error is of the row, whichever process had it',
  );
});

t.test('one of several processes that ends, ends the step, and none stays behind', ofFullList, async (t) => {
  const many = Array.from({ length: 60 }, (_, n) => ({ n }));
  const code = 'export default async (item) => { if (item.n === 31) for (;;); return item; }';
  const keys = { concurrency: 4, item_timeout: '1s' };
  const childrenNow = () =>
    readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean);
  // The files of tests before this one, in the same process, may have left one that serves them all.
  const others = childrenNow();
  const ownNow = () => childrenNow().filter((pid) => !others.includes(pid));
  const { status, failure, written } = await scripted({ rows: many, code, keys });
  t.same([status, failure?.code, written], ['error', 'SCRIPT_ERROR', []]);
  t.match(failure?.message, /took longer than 1 s for an item \(number 3[12] or/);
  for (let look = 0; look < 50 && ownNow().length > 0; look++) await wait(20);
  t.same(ownNow(), []);
  const broken = await scripted({ rows: many, code: 'export defaul 1', keys: { concurrency: 2 } });
  t.match(broken.failure, { code: 'SCRIPT_ERROR' });
});
