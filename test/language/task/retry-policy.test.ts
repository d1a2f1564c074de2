import t from 'tap';
import { parseTask } from '../../../src/language/task/parse-task.ts';

const HEAD = 'name: x\nconnectors: {db: {type: sqlite}}\n';

function retryOf(retry: string) {
  const parsed = parseTask(
    `${HEAD}steps:\n  - {id: a, kind: call, connector: db, method: query, retry: {${retry}}}\n`,
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.task.steps[0]?.retry;
}

t.test('the longest delay that is not given is a minute, or the delay where that is longer', async (t) => {
  t.match(retryOf('delay: 5s'), { delayMs: 5_000, maxDelayMs: 60_000 });
  t.match(retryOf('delay: 1m'), { delayMs: 60_000, maxDelayMs: 60_000 });
  t.match(retryOf('delay: 5m'), { delayMs: 300_000, maxDelayMs: 300_000 });
  t.match(retryOf('delay: 5m, max_delay: 5m'), { delayMs: 300_000, maxDelayMs: 300_000 });
  t.match(retryOf('max_delay: 2s'), { delayMs: 1_000, maxDelayMs: 2_000 });
  t.match(retryOf('max_attempts: 7'), { maxAttempts: 7, factor: 2, jitter: 0.2, maxDelayMs: 60_000 });
});
