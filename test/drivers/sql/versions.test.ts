import t from 'tap';
import type { Connection, Row, WriteRequest } from '../../../src/drivers/driver.ts';
import type { Versions } from '../../../src/drivers/load-request.ts';
import { seeded } from '../../support/seed.ts';
import { column, engines, execute, fault, rowsOf, writeAll } from './engines.ts';

const VERSIONS: Versions = {
  validFrom: 'valid_from',
  validTo: 'valid_to',
  current: 'is_current',
  hash: 'h',
  byLoadTime: false,
};
const COLUMNS = [
  column('id', 'integer'),
  column('name', 'string'),
  column('valid_from', 'timestamp'),
  column('valid_to', 'timestamp'),
  column('is_current', 'boolean'),
  column('h', 'string'),
];

/** Minute `n` of a day. */
const at = (n: number) => `2024-01-01T00:${String(n).padStart(2, '0')}:00.000000Z`;
const version = (id: number, minute: number, name: string): Row => ({
  id,
  name,
  valid_from: at(minute),
  valid_to: null,
  is_current: true,
  h: name,
});
const batchOf = (rows: readonly Row[]) => ({ columns: COLUMNS, rows: [...rows] });

interface Kept {
  readonly id: number;
  readonly from: number;
  readonly to: number | null;
  readonly name: string;
}

const minuteOf = (text: unknown) => (text === null ? null : Number(String(text).slice(14, 16)));

async function kept(c: Connection): Promise<Kept[]> {
  const rows = await rowsOf(c, 'SELECT * FROM people ORDER BY id, valid_from');
  for (const row of rows)
    t.equal(Boolean(row['is_current']), row['valid_to'] === null, 'current is what has no end');
  return rows.map((row) => ({
    id: Number(row['id']),
    from: minuteOf(row['valid_from']) ?? -1,
    to: minuteOf(row['valid_to']),
    name: String(row['name']),
  }));
}

const v = (id: number, from: number, to: number | null, name: string): Kept => ({ id, from, to, name });
const request = (more: Partial<WriteRequest> = {}) => ({
  mode: 'scd2' as const,
  versions: VERSIONS,
  ...more,
});

interface Arrived {
  readonly id: number;
  readonly minute: number;
  readonly name: string;
}

/** One load by the book: row by row in the order of their times; `presentAt`: it was complete, and so ends what did not come. */
function reference(before: readonly Kept[], rows: readonly Arrived[], presentAt: number | null): Kept[] {
  const all = before.map((one) => ({ ...one }));
  const versionsOf = (id: number) => all.filter((one) => one.id === id).toSorted((a, b) => a.from - b.from);
  const last = new Map<string, Arrived>();
  for (const row of rows) last.set(`${row.id} ${row.minute}`, row);
  let rest = [...last.values()].toSorted((a, b) => a.minute - b.minute);
  if (presentAt !== null) {
    for (const id of new Set(rest.map((row) => row.id))) {
      const there = versionsOf(id);
      const newest = rest.findLast((row) => row.id === id) as Arrived;
      if (there.length === 0 || there.some(({ to }) => to === null)) continue;
      if (newest.minute >= Math.max(...there.map(({ to }) => to ?? 0))) continue;
      rest = rest.map((row) => (row === newest ? { ...row, minute: presentAt } : row));
    }
    rest = rest.toSorted((a, b) => a.minute - b.minute);
  }
  for (const { id, minute, name } of rest) {
    const there = versionsOf(id);
    const same = there.find(({ from }) => from === minute);
    const holds = there.findLast(({ from, to }) => from <= minute && (to === null || minute < to));
    const next = there.find(({ from }) => from > minute);
    if (same !== undefined) {
      same.name = name;
      continue;
    }
    if (holds !== undefined) {
      if (holds.name === name) continue;
      all.push({ id, from: minute, to: holds.to, name });
      holds.to = minute;
    } else all.push({ id, from: minute, to: next?.from ?? null, name });
  }
  if (presentAt !== null) {
    const came = new Set(rows.map((row) => row.id));
    for (const one of all) if (one.to === null && !came.has(one.id)) one.to = Math.max(one.from, presentAt);
  }
  return all.toSorted((a, b) => a.id - b.id || a.from - b.from);
}

for (const engine of engines) {
  t.test(engine.name, { skip: engine.skip ?? false }, async (t) => {
    const open = await engine.prepare(t);

    t.test(
      'a change ends the version that holds and begins another; the same again changes nothing',
      async (t) => {
        const c = await open(t);
        t.equal(await writeAll(c, request(), batchOf([version(1, 1, 'a'), version(2, 1, 'b')])), 2);
        const next = batchOf([version(1, 5, 'a'), version(2, 5, 'x')]);
        t.equal(await writeAll(c, request(), next), 1);
        const after = [v(1, 1, null, 'a'), v(2, 1, 5, 'b'), v(2, 5, null, 'x')];
        t.strictSame(await kept(c), after);
        t.equal(await writeAll(c, request(), next), 0, 'again');
        t.strictSame(await kept(c), after);
      },
    );

    t.test('late rows find their place, and those of one time correct each other', async (t) => {
      const c = await open(t);
      await writeAll(c, request(), batchOf([version(1, 10, 'a'), version(1, 20, 'b')]));
      await writeAll(
        c,
        request(),
        batchOf([version(1, 15, 'late'), version(1, 5, 'first'), version(1, 12, 'a')]),
      );
      t.strictSame(await kept(c), [
        v(1, 5, 10, 'first'),
        v(1, 10, 15, 'a'),
        v(1, 15, 20, 'late'),
        v(1, 20, null, 'b'),
      ]);
      await writeAll(c, request(), batchOf([version(1, 15, 'x')]), batchOf([version(1, 15, 'right')]));
      t.strictSame((await kept(c))[2], v(1, 15, 20, 'right'));
    });

    t.test(
      'rows are versions as a reference makes them one by one, whatever comes and however late',
      async (t) => {
        const { random } = seeded(t);
        const any = (below: number) => Math.floor(random() * below);
        for (let round = 0; round < 6; round += 1) {
          const c = await open(t);
          let expected: Kept[] = [];
          for (let load = 0; load < 5; load += 1) {
            const rows = Array.from({ length: 1 + any(12) }, () => ({
              id: any(4),
              minute: any(40),
              name: 'abc'.charAt(any(3)),
            }));
            const presentAt = random() < 0.4 ? 41 + load : null;
            const missing = presentAt === null ? null : { column: null, at: at(presentAt), maxShare: 1 };
            const writer = await c.openWriter({
              object: 'people',
              mode: 'scd2',
              key: ['id'],
              loadId: `l${load}`,
              allowEmpty: false,
              versions: VERSIONS,
              missing,
              signal: new AbortController().signal,
            });
            const middle = any(rows.length);
            const made = rows.map(({ id, minute, name }) => version(id, minute, name));
            await writer.write(batchOf(made.slice(0, middle)));
            await writer.write(batchOf(made.slice(middle)));
            await writer.commit(presentAt !== null);
            const before = expected;
            expected = reference(before, rows, presentAt);
            t.strictSame(await kept(c), expected, JSON.stringify({ before, rows, presentAt }));
          }
          await execute(c, 'DROP TABLE people');
        }
      },
    );

    t.test('a key that is there again holds from the load on, however often its row came', async (t) => {
      const c = await open(t);
      const missing = (minute: number) => ({ column: null, at: at(minute), maxShare: 1 });
      const load = async (minute: number, rows: readonly Row[]) => {
        const writer = await c.openWriter({
          object: 'people',
          key: ['id'],
          loadId: `l${minute}`,
          allowEmpty: false,
          missing: missing(minute),
          signal: new AbortController().signal,
          ...request(),
        });
        await writer.write(batchOf(rows));
        await writer.commit(true);
      };
      await load(41, [version(1, 10, 'a'), version(2, 10, 'z')]);
      await load(42, [version(2, 10, 'z')]);
      await load(43, [version(1, 5, 'x'), version(2, 10, 'z'), version(1, 5, 'b')]);
      t.strictSame(await kept(c), [v(1, 10, 42, 'a'), v(1, 43, null, 'b'), v(2, 10, null, 'z')]);
    });

    t.test('a table without versions is refused, and stays as it is', async (t) => {
      const c = await open(t);
      await execute(
        c,
        'CREATE TABLE people (id integer, name varchar(9))',
        `INSERT INTO people VALUES (1, 'a')`,
      );
      await t.rejects(
        writeAll(c, request(), batchOf([version(1, 1, 'a')])),
        fault('CONFIG', /table without versions: it has no column "valid_from"/),
      );
      t.strictSame(await rowsOf(c, 'SELECT * FROM people'), [{ id: 1, name: 'a' }]);
    });

    t.test('rows that hold from now on cannot come before what is there', async (t) => {
      const c = await open(t);
      await writeAll(c, request(), batchOf([version(1, 10, 'a')]));
      const byLoadTime = { ...VERSIONS, byLoadTime: true };
      const early = writeAll(c, request({ versions: byLoadTime }), batchOf([version(1, 9, 'b')]));
      await t.rejects(early, fault('TARGET', /clock/));
      t.strictSame(await kept(c), [v(1, 10, null, 'a')]);
    });

    t.test('an abort leaves the versions as they were', async (t) => {
      const c = await open(t);
      await writeAll(c, request(), batchOf([version(1, 1, 'a')]));
      const writer = await c.openWriter({
        object: 'people',
        key: ['id'],
        loadId: 'l',
        allowEmpty: false,
        signal: new AbortController().signal,
        ...request(),
      });
      await writer.write(batchOf([version(1, 2, 'b')]));
      await writer.abort();
      t.strictSame(await kept(c), [v(1, 1, null, 'a')]);
      t.strictSame(
        (await c.listResources(new AbortController().signal)).map(({ name }) => name),
        ['people'],
      );
    });
  });
}
