import t from 'tap';
import type { Logger } from '../../../../src/base/logger.ts';
import { RefusalLog } from '../../../../src/protocol/server/limits/refusal-log.ts';

t.test(
  'a flood of refusals is one line of each kind, and the next tells how many were left out',
  async (t) => {
    const lines: [object, string][] = [];
    const ignore = () => undefined;
    const logger: Logger = {
      debug: ignore,
      info: ignore,
      error: ignore,
      warn: (fields, message) => lines.push([fields, message]),
      child: () => logger,
    };
    let now = 0;
    const refusals = new RefusalLog(logger, () => now);
    for (let n = 0; n < 100; n += 1) refusals.note('too many', { n });
    refusals.note('another');
    t.same(lines, [
      [{ n: 0 }, 'too many'],
      [{}, 'another'],
    ]);
    now += 10_000;
    refusals.note('too many', { n: 100 });
    t.same(lines[2], [{ n: 100, left_out: 99 }, 'too many']);
  },
);
