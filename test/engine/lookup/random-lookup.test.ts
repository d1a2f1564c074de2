import fc from 'fast-check';
import t from 'tap';
import type { Row } from '../../../src/drivers/driver.ts';
import { fewOrMany } from '../../support/fault-list.ts';
import { enrich, peopleIn } from './lookup-scene.ts';

const RUNS = fewOrMany(15, 200);

const person = fc.tuple(
  fc.integer({ min: 1, max: 6 }),
  fc.constantFrom('eu', 'us', null),
  fc.string({ maxLength: 3 }),
);
const row = fc.record({
  who: fc.option(fc.integer({ min: 1, max: 8 })),
  where: fc.constantFrom('eu', 'us', 'x'),
});
const options = fc.record({
  on_missing: fc.constantFrom('keep', 'drop', 'fail'),
  on_several: fc.constantFrom('fail', 'first', 'all'),
  keys_per_call: fc.constantFrom(1, 2, 100),
  cache: fc.constantFrom(0, 1, 100),
  concurrency: fc.constantFrom(1, 3),
});

t.test('random rows get what a plain reference finds for them, and none is lost', async (t) => {
  const property = fc.asyncProperty(
    fc.array(person, { maxLength: 12 }),
    fc.array(row, { minLength: 1, maxLength: 25 }),
    options,
    fc.boolean(),
    fc.integer({ min: 1, max: 9 }),
    async (people, given, chosen, isWide, size) => {
      const folder = t.testdir();
      peopleIn(folder, people);
      const rows: Row[] = given.map((one, n) => ({ n, ...one }));
      const out: Row[] = [];
      const failed: unknown[] = [];
      let dropped = 0;
      for (const one of rows) {
        const matches = people.filter(
          ([id, region]) => id === one['who'] && (!isWide || region === one['where']),
        );
        const taken = chosen.on_several === 'first' ? matches.slice(0, 1) : matches;
        if (matches.length > 1 && chosen.on_several === 'fail') failed.push(one['n']);
        else if (matches.length > 0) for (const [, , name] of taken) out.push({ ...one, name });
        else if (chosen.on_missing === 'fail') failed.push(one['n']);
        else if (chosen.on_missing === 'drop') dropped++;
        else out.push({ ...one, name: null });
      }
      const lookup = {
        connector: 'people',
        method: 'list',
        args: { table: 'people' },
        on: isWide ? { who: 'id', where: 'region' } : { who: 'id' },
        fields: ['name'],
        ...chosen,
      };
      const keys = { on_error: 'dead_letter', batch: { size } };
      const made = await enrich({ folder, lookup, rows, keys });
      const letters = made.keeper.letters.map(({ item }) => (item as Row)['n']);
      const found = { out: made.out, failed: letters, dropped: made.step?.rows_filtered };
      const wanted = { out, failed, dropped };
      if (JSON.stringify(found) !== JSON.stringify(wanted))
        throw new Error(`${JSON.stringify(found)}, not ${JSON.stringify(wanted)}: ${made.failure?.message}`);
    },
  );
  await fc.assert(property, { numRuns: RUNS });
  t.pass(`${RUNS} times`);
});
