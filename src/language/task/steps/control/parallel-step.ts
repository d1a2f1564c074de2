import { alwaysIdle } from '../../../declare/rules.ts';
import { integer } from '../../../declare/values.ts';
import { NO_RETRY } from '../../retry-policy.ts';
import { type StepOf, stepKind } from '../step-kind.ts';
import type { NestedList } from './nested-list.ts';

export type ParallelStep = StepOf<ReturnType<typeof createParallelStep>>;

const CONCURRENCY_MAX = 64;

/** `parallel`: its steps at the same time. */
export function createParallelStep(nested: NestedList) {
  return stepKind({
    kind: 'parallel',
    words:
      'Runs its steps concurrently, except those that name others in `needs` or `input`. Steps that feed each other count as one.',
    takesRows: false,
    givesRows: false,
    retry: NO_RETRY,
    keys: {
      concurrency: integer('Maximum concurrent steps.', {
        min: 1,
        max: CONCURRENCY_MAX,
        default: 8,
      }),
      steps: nested('Steps to run concurrently. Here `needs` is empty by default.', {
        required: true,
        inOrder: false,
      }),
    },
    rules: [alwaysIdle(['retry'], 'the steps inside have their own retries')],
    make: ({ concurrency }) => ({ concurrency }),
    bodies: ({ steps }) => [steps],
  });
}
