import { duration } from '../../declare/values.ts';
import { NO_RETRY } from '../retry-policy.ts';
import { stepKind } from './step-kind.ts';

const DURATION_MS_MAX = 86_400_000;

/** `sleep`: waits, as for another system to catch up. */
export const sleepStep = stepKind({
  kind: 'sleep',
  words: 'Waits. The run keeps its executor slot meanwhile.',
  takesRows: false,
  givesRows: false,
  retry: NO_RETRY,
  keys: { duration: duration('How long.', { required: true, max: DURATION_MS_MAX }) },
  make: ({ duration }) => ({ durationMs: duration }),
});
