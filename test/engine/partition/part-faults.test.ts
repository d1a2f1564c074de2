import t from 'tap';
import { RunFault } from '../../../src/engine/run-fault.ts';
import { execute, rowsOf } from '../../drivers/sql/engines.ts';
import { ofFullList } from '../../support/fault-list.ts';
import { createKeeper } from '../support/task-run.ts';
import { partEngines } from './support/part-engines.ts';
import { partsScene } from './support/parts-scene.ts';

for (const engine of partEngines) {
  const skip = engine.skip || (engine.driver.type === 'sqlite' ? false : ofFullList.skip);
  t.test(engine.driver.title, { skip }, async (t) => {
    const { db, run, leftovers, isCopied, nextId, failing } = await partsScene(t, engine);

    t.test('a part that fails is read again by itself', async (t) => {
      let left = 1;
      const { keeper, ...outcome } = await run('{by: n, parts: 4}', 'mode: replace', {
        drivers: failing(() => left-- > 0, 'UNAVAILABLE'),
      });
      t.match(outcome, { status: 'success', rows_in: 402, rows_out: 402 });
      t.equal(outcome.steps[0]?.attempts, 2);
      t.equal(keeper.logs.filter(({ message }) => message.includes('Retrying')).length, 1);
      await isCopied(t);
    });

    t.test('the next attempt of a run goes on with the parts that are staged', async (t) => {
      await execute(db, 'CREATE TABLE dst (id bigint, n integer)', 'INSERT INTO dst VALUES (5, 5)');
      const keeper = createKeeper();
      const id = nextId();
      let batches = 0;
      const options = { id, keeper };
      const partition = '{by: n, parts: 8, concurrency: 1}';
      const first = await run(partition, 'mode: replace', {
        ...options,
        drivers: failing(() => ++batches > 4, 'TARGET'),
      });
      t.match(first, {
        status: 'error',
        rows_out: 0,
        retryable: true,
        failure: { message: /The source has gone/ },
      });
      t.match(first.steps.at(-1), { step_id: 'write', rows_out: 0 });
      t.equal(
        (await rowsOf(db, 'SELECT * FROM dst')).length,
        1,
        'nothing is visible before all parts are there',
      );
      t.equal(await leftovers(), 1);
      const second = await run(partition, 'mode: replace', options);
      t.match(second, { status: 'success', rows_out: 402 });
      t.ok(
        second.rows_in < 402 && second.rows_in > 0,
        `it read only what was missing: ${second.rows_in} rows`,
      );
      await isCopied(t);
      const third = await run(partition, 'mode: replace', options);
      t.match(
        third,
        { status: 'success', rows_in: 0, rows_out: 402 },
        'an attempt after the publication reads nothing',
      );
    });

    t.test('a changed plan leaves no part of the one before', async (t) => {
      const keeper = createKeeper();
      const id = nextId();
      let batches = 0;
      await run('{by: n, parts: 8, concurrency: 1}', 'mode: replace', {
        id,
        keeper,
        drivers: failing(() => ++batches > 4, 'TARGET'),
      });
      keeper.checkpoints.clear();
      await execute(db, 'UPDATE src SET n = n + 1000');
      t.match(await run('{by: n, parts: 8}', 'mode: replace', { id, keeper }), {
        status: 'success',
        rows_out: 402,
      });
      await isCopied(t);
    });

    t.test('a run that fails for good, or is cancelled, leaves the target and no stage', async (t) => {
      await execute(
        db,
        'CREATE TABLE dst (id bigint, n integer CHECK (n < 390))',
        'INSERT INTO dst VALUES (5, 5)',
      );
      const failed = await run('{by: n, parts: 8}', 'mode: replace');
      t.match(failed, { status: 'error', rows_out: 0 });
      t.match(await rowsOf(db, 'SELECT n FROM dst'), [{ n: 5 }]);
      t.equal(await leftovers(), 0);
      const unpublished = await run('{by: n, parts: 8}', 'mode: truncate_insert');
      t.match(unpublished, { status: 'error', rows_out: 0 });
      // MariaDB refuses such a table before the first part.
      for (const step of unpublished.steps.filter(({ attempts }) => attempts > 0)) {
        const ends = unpublished.keeper.logs.filter(
          ({ message, step_id }) => step_id === step.step_id && / ended: /.test(message),
        );
        t.equal(
          ends.length,
          1,
          `${step.step_id} ends once: ${ends.map(({ message }) => message).join('; ')}`,
        );
        t.match(ends[0]?.message, `ended: ${step.status}`);
      }
      const allowed = await run('{by: n, parts: 8}', 'mode: replace, allow_failure: true');
      t.match(allowed, { status: 'warning' });
      t.match(
        await rowsOf(db, 'SELECT n FROM dst'),
        [{ n: 5 }],
        'a part that may fail publishes nothing either',
      );
      t.equal(await leftovers(), 0);
    });

    t.test('a run that is cancelled among its parts leaves the target as it was, and no stage', async (t) => {
      await execute(db, 'CREATE TABLE dst (id bigint, n integer)', 'INSERT INTO dst VALUES (5, 5)');
      const control = new AbortController();
      let batches = 0;
      let staged = 0;
      const outcome = await run('{by: n, parts: 8, concurrency: 1}', 'mode: replace', {
        signal: control.signal,
        drivers: failing(async () => {
          if (++batches === 5) {
            staged = await leftovers();
            control.abort(new RunFault('CANCELLED', 'Somebody said so', { reason: 'user', stepId: '' }));
          }
          return false;
        }, 'TARGET'),
      });
      t.equal(staged, 1, 'parts were staged when it ended');
      t.match(outcome, { status: 'cancelled', rows_out: 0 });
      t.strictSame(await rowsOf(db, 'SELECT n FROM dst'), [{ n: 5 }]);
      t.equal(await leftovers(), 0);
    });

    t.test('the stage that a dead run left long ago goes with the next load of its table', async (t) => {
      let batches = 0;
      await run('{by: n, parts: 8, concurrency: 1}', 'mode: replace', {
        drivers: failing(() => ++batches > 4, 'TARGET'),
      });
      t.equal(await leftovers(), 1, 'it may be tried again');
      await run('{by: n, parts: 2}', 'mode: replace');
      t.equal(await leftovers(), 1, 'and another run leaves it alone');
      await execute(db, `UPDATE _headgate_loads SET loaded_at = ${engine.longAgo} WHERE load_id = 'stage'`);
      await run('{by: n, parts: 2}', 'mode: replace');
      await isCopied(t);
    });

    t.test('every row tells of the same run and time, whichever part and attempt brought it', async (t) => {
      const options = { id: nextId(), keeper: createKeeper() };
      let batches = 0;
      const load = 'mode: append, audit: true';
      const drivers = failing(() => ++batches > 4, 'TARGET');
      await run('{by: n, parts: 8, concurrency: 1}', load, { ...options, drivers });
      t.match(await run('{by: n, parts: 8, concurrency: 1}', load, options), { status: 'success' });
      const told = await rowsOf(
        db,
        'SELECT _run_id, count(DISTINCT _loaded_at) AS times, count(*) AS n FROM dst GROUP BY 1',
      );
      t.match(told, [{ _run_id: options.id }]);
      t.strictSame([Number(told[0]?.['times']), Number(told[0]?.['n'])], [1, 402]);
    });

    t.test('rows that come after the plan are in the first or the last part', async (t) => {
      let added = false;
      const whileReading = failing(async () => {
        if (!added)
          await execute(
            db,
            "INSERT INTO src VALUES (1000000, 5000, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP, 'b', 1)",
          );
        added = true;
        return false;
      }, 'TARGET');
      const { status } = await run('{by: n, parts: 4, concurrency: 1}', 'mode: replace', {
        drivers: whileReading,
      });
      t.equal(status, 'success');
      await isCopied(t);
    });
  });
}
