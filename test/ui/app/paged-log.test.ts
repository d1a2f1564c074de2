import t from 'tap';
import type { LogLine } from '../../../src/ui/screens/runs/log/log-line.ts';
import { PagedLog } from '../../../src/ui/screens/runs/log/paged-log.ts';

const line = (attempt: number, seq: number): LogLine => ({
  attempt,
  seq,
  at: '2026-01-01T00:00:00.000Z',
  level: 'info',
  step_id: null,
  message: `${attempt}.${seq}`,
  fields: null,
});

/** A server with these lines. */
function serverOf(lines: readonly LogLine[]) {
  const asked: string[] = [];
  const read = async (after: string, limit: number) => {
    asked.push(`${after} ${limit}`);
    const [attempt = 0, seq = 0] = after.split('.').map(Number);
    return lines
      .filter((one) => one.attempt > attempt || (one.attempt === attempt && one.seq > seq))
      .slice(0, limit);
  };
  return { asked, read };
}

const settled = () => new Promise<void>((done) => setImmediate(done));

t.test('lines are read when they are shown, each page once, across attempts', async (t) => {
  const lines = [...Array.from({ length: 1_200 }, (_, at) => line(1, at + 1)), line(2, 1), line(2, 2)];
  const { asked, read } = serverOf(lines);
  const log = new PagedLog(read, () => undefined);
  log.extend([
    { attempt: 1, last_seq: 1_200 },
    { attempt: 2, last_seq: 2 },
  ]);
  t.equal(log.count, 1_202);
  t.equal(log.at(1_199), undefined);
  log.show(1_190, 1_202);
  log.show(1_190, 1_202);
  await settled();
  t.same(asked, ['1.1000 200', '2.0 2']);
  t.equal(log.at(1_199)?.message, '1.1200');
  t.equal(log.at(1_201)?.message, '2.2');
  t.equal(log.indexOf({ attempt: 2, seq: 1 }), 1_200);
  t.equal(log.at(1_202), undefined);
});

t.test(
  'a followed log grows by its own lines, and a part that was not loaded is read when it is shown',
  async (t) => {
    const lines = Array.from({ length: 505 }, (_, at) => line(1, at + 1));
    const { asked, read } = serverOf(lines);
    const log = new PagedLog(read, () => undefined);
    log.extend([{ attempt: 1, last_seq: 498 }]);
    t.same(log.end, { attempt: 1, seq: 498 });
    log.append(lines.slice(498), []);
    t.equal(log.count, 505);
    t.equal(log.at(504)?.message, '1.505');
    log.show(495, 505);
    await settled();
    t.same(asked, ['1.0 500']);
    t.equal(log.at(498)?.message, '1.499');
  },
);

t.test('what the server no longer has is known to be gone, and a failed read is tried again', async (t) => {
  const kept = [line(1, 3)];
  let works = false;
  const log = new PagedLog(
    async () => {
      if (works) return kept;
      throw new Error('no connection');
    },
    () => undefined,
  );
  log.extend([{ attempt: 1, last_seq: 3 }]);
  log.show(0, 3);
  await settled();
  t.equal(log.at(0), undefined);
  works = true;
  log.show(0, 3);
  await settled();
  t.equal(log.at(0), null);
  t.equal(log.at(2)?.message, '1.3');
  log.append([], [{ attempt: 2, to: 7 }]);
  t.equal(log.count, 10);
});

t.test('of a log of a million lines few pages are kept', async (t) => {
  const { read } = serverOf([]);
  const log = new PagedLog(read, () => undefined);
  log.extend([{ attempt: 1, last_seq: 1_000_000 }]);
  for (let at = 0; at < 100; at += 1) {
    log.show(at * 5_000, at * 5_000 + 1);
    await settled();
  }
  t.equal(log.at(99 * 5_000), null, 'the last');
  t.equal(log.at(0), undefined, 'not the first');
});
