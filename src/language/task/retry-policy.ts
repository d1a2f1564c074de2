import { map, submap } from '../declare/map.ts';
import { idleWhere } from '../declare/rules.ts';
import { duration, integer, number } from '../declare/values.ts';
import { durationText } from '../yaml/duration.ts';

/** `maxAttempts` counts the first. Delay before attempt n+1: `delayMs * factor^(n-1)`, at most `maxDelayMs`, ± `jitter`. */
export interface RetryPolicy {
  readonly maxAttempts: number;
  readonly delayMs: number;
  readonly factor: number;
  readonly maxDelayMs: number;
  readonly jitter: number;
}

/** What steps that reach a connector do where the document says nothing. */
export const CONNECTOR_RETRY: RetryPolicy = {
  maxAttempts: 3,
  delayMs: 1_000,
  factor: 2,
  maxDelayMs: 60_000,
  jitter: 0.2,
};

/** One attempt: what whole tasks and steps without a connector do. */
export const NO_RETRY: RetryPolicy = { ...CONNECTOR_RETRY, maxAttempts: 1 };

const RETRY = map(
  'Retries.',
  {
    max_attempts: integer('Total attempts, including the first; 1 = no retry.', {
      min: 1,
      max: 100,
      default: CONNECTOR_RETRY.maxAttempts,
    }),
    delay: duration('Delay before the second attempt.', { default: CONNECTOR_RETRY.delayMs }),
    factor: number('Factor by which the delay grows with each attempt.', {
      min: 1,
      max: 100,
      default: CONNECTOR_RETRY.factor,
    }),
    max_delay: duration('The longest delay.', {
      absent: `${durationText(CONNECTOR_RETRY.maxDelayMs)}, or \`delay\` where that is longer`,
    }),
    jitter: number('Random share of each delay (jitter), to spread out retries.', {
      min: 0,
      max: 1,
      default: CONNECTOR_RETRY.jitter,
    }),
  },
  {
    rules: [
      idleWhere(
        'max_attempts',
        [1],
        ['delay', 'factor', 'max_delay', 'jitter'],
        () => '"max_attempts" is 1, so there are no retries',
      ),
    ],
    make: ({ max_attempts, delay, factor, max_delay, jitter }, reader): RetryPolicy => {
      if (max_delay !== null && max_delay < delay)
        reader.wrong('max_delay', `"max_delay" must not be less than "delay" (${delay / 1_000}s)`);
      const maxDelayMs = max_delay ?? Math.max(CONNECTOR_RETRY.maxDelayMs, delay);
      return { maxAttempts: max_attempts, delayMs: delay, factor, maxDelayMs, jitter };
    },
  },
);

/** `retry` of a task, a step or a node; null where it is absent: `words` say what holds then. */
export const retry = (words: string) => submap(RETRY, { words });
