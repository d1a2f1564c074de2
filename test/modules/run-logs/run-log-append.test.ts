import t from 'tap';
import { type AttemptLog, appendBatch } from '../../../src/modules/run-logs/run-log-append.ts';
import type { LogBatch } from '../../../src/protocol/control-plane.ts';

const batch = (first_seq: number, count: number): LogBatch => ({
  lease: { run_id: 1, attempt: 2, epoch: 1, token: 't' },
  first_seq,
  lines: Array.from({ length: count }, (_, index) => ({
    at: index,
    level: 2,
    step_id: '',
    message: 'x'.repeat(68),
    fields_json: '',
  })),
});

t.test('the quota is the run’s, and a second attempt has what the first has left', async (t) => {
  const log: AttemptLog = { ackedSeq: 0, bytes: 0, runBytes: 800, dropped: 0 };
  const stored: [number, string][] = [];
  const outcome = appendBatch(batch(1, 5), log, 1_000, (seq, _at, _level, _step, message) =>
    stored.push([seq, message]),
  );
  t.match(outcome, { outcome: 'ACCEPTED', acked_seq: 5, dropped: 3 });
  t.strictSame(
    stored.map(([seq]) => seq),
    [1, 2, 3],
  );
  t.match(stored[2]?.[1], /over its quota of 1000 bytes/);
  t.strictSame([log.bytes, log.runBytes], [200, 1_000]);
});
