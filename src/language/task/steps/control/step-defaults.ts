import { map, submap } from '../../../declare/map.ts';
import { duration } from '../../../declare/values.ts';
import { BATCH, batchFields } from '../../batch-bounds.ts';
import { retry } from '../../retry-policy.ts';
import { type DraftStep, onError, type StepList } from '../step-kind.ts';

/** Kinds that move rows or ask a connector: those with something to retry, to limit and to cut into batches. */
const WORKING: readonly string[] = ['extract', 'transform', 'script', 'load', 'call'];
const CONNECTED: readonly string[] = ['extract', 'load', 'call'];
const TAKING: readonly string[] = ['transform', 'script', 'load', 'foreach'];

const OF = map(
  'Defaults for steps; a key of a step replaces its default as a whole.',
  {
    timeout: duration('Timeout of each attempt of extract, transform, script, load and call steps.', {
      absent: 'none',
    }),
    retry: retry('Retries of extract, load and call steps. Default: 3 attempts.'),
    on_error: onError(
      'rows',
      'What happens to failed rows and items in transform, script, load and foreach steps:',
    ),
    batch: BATCH,
  },
  { make: (values, reader) => ({ ...values, on_error: reader.has('on_error') ? values.on_error : null }) },
);

export type StepDefaults = ReturnType<(typeof OF)['from']>;

/** `defaults` of a task; null where it is absent. */
export const DEFAULTS = submap(OF);

/** The steps with the defaults where they say nothing themselves, also in the lists inside them. */
export function withDefaults(list: StepList, defaults: StepDefaults | null): StepList {
  if (defaults === null) return list;
  const placed = list.placed.map((one) => ({ ...one, step: settled(one.step, defaults) }));
  return { ...list, placed };
}

function settled(step: DraftStep, { timeout, retry, on_error, batch }: StepDefaults): DraftStep {
  const takes = (key: string, kinds: readonly string[]) =>
    kinds.includes(step.kind) && !step.given.includes(key);
  return {
    ...step,
    ...(timeout !== null && takes('timeout', WORKING) ? { timeoutMs: timeout } : {}),
    ...(retry !== null && takes('retry', CONNECTED) ? { retry } : {}),
    ...(on_error !== null && takes('on_error', TAKING) ? { onError: on_error } : {}),
    ...(batch !== null && takes('batch', WORKING) && step.kind !== 'call' ? batchFields(batch) : {}),
    bodies: step.bodies.map((body) => withDefaults(body, { timeout, retry, on_error, batch })),
  };
}
