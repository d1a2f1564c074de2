import fc from 'fast-check';
import t from 'tap';
import { BatchQueue, QUEUE_BATCHES_MAX } from '../../../src/engine/pipeline/batch-queue.ts';
import { Rebatch } from '../../../src/engine/pipeline/rebatch.ts';

const batch = (...ids: number[]) => ({ columns: [], rows: ids.map((id) => ({ id })) });

t.test('a full queue holds its producer until a batch is taken', async (t) => {
  const queue = new BatchQueue();
  let waiting: Promise<void> | undefined;
  for (let i = 0; i < QUEUE_BATCHES_MAX; i++) {
    t.equal(waiting, undefined);
    waiting = queue.push(batch(i));
  }
  let released = false;
  const release = waiting?.then(() => {
    released = true;
  });
  await new Promise(setImmediate);
  t.notOk(released);
  t.strictSame(await queue.next(), batch(0));
  await release;
  t.ok(released);
});

t.test('what is inside a closed queue is still handed out', async (t) => {
  const queue = new BatchQueue();
  void queue.push(batch(1));
  queue.close();
  t.strictSame(await queue.next(), batch(1));
  t.equal(await queue.next(), null);
});

t.test('a failed queue ends both sides, one that is discarded lets its producer go on', async (t) => {
  const queue = new BatchQueue();
  const waiting = queue.next();
  queue.fail(new Error('over'));
  await t.rejects(waiting, { message: 'over' });
  await t.rejects(Promise.resolve(queue.push(batch(1))), { message: 'over' });
  const dropped = new BatchQueue();
  void dropped.push(batch(1));
  const full = dropped.push(batch(2));
  dropped.discard();
  await full;
  t.equal(dropped.push(batch(3)), undefined);
  t.equal(await dropped.next(), null);
});

t.test('batches of any size become batches of one size, with all rows in their order', async () => {
  fc.assert(
    fc.property(fc.array(fc.nat(25), { maxLength: 20 }), fc.integer({ min: 1, max: 10 }), (sizes, size) => {
      let next = 0;
      const rebatch = new Rebatch(size);
      const columns = [{ name: 'id', type: 'integer', nullable: false }] as const;
      const out = sizes.flatMap((count) => {
        return rebatch.push({ columns, rows: Array.from({ length: count }, () => ({ id: next++ })) });
      });
      if (out.some((made) => made.rows.length !== size)) return false;
      const rest = rebatch.rest();
      const ids = [...out, ...(rest === null ? [] : [rest])].flatMap((made) =>
        made.rows.map((row) => row['id']),
      );
      return ids.length === next && ids.every((id, i) => id === i);
    }),
  );
});
