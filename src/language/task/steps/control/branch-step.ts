import { expression } from '../../../declare/expressions.ts';
import { listOf, map } from '../../../declare/map.ts';
import { alwaysIdle } from '../../../declare/rules.ts';
import { TASK_NAMES } from '../../../yaml/scope-names.ts';
import { NO_RETRY } from '../../retry-policy.ts';
import { type StepOf, stepKind } from '../step-kind.ts';
import type { NestedList } from './nested-list.ts';

export type BranchStep = StepOf<ReturnType<typeof createBranchStep>>;

const CASES_MAX = 100;

/** `branch`: the steps of the first case whose condition is true. */
export function createBranchStep(nested: NestedList) {
  const branchCase = map('A case.', {
    when: expression('The condition of the case.', TASK_NAMES, { required: true }),
    steps: nested('Steps to run if this is the first case whose condition is true.', {
      required: true,
      inOrder: true,
    }),
  });
  return stepKind({
    kind: 'branch',
    words:
      'Runs the steps of the first case whose condition is true; the steps of all other cases are skipped.',
    atOnce: 'one case alone runs; put its steps into a "parallel"',
    takesRows: false,
    givesRows: false,
    retry: NO_RETRY,
    keys: {
      cases: listOf('The cases, evaluated in order.', branchCase, {
        required: true,
        min: 1,
        max: CASES_MAX,
      }),
      else: nested('Steps to run if no condition is true. Default: nothing.', { inOrder: true }),
    },
    rules: [alwaysIdle(['retry'], 'the steps inside have their own retries')],
    /** `bodies` has the steps of each case, then those of `else`. */
    make: ({ cases }) => ({ conditions: cases.map((one) => one.when) }),
    bodies: ({ cases, else: otherwise }) => [
      ...cases.map(({ steps }) => steps),
      ...(otherwise === null ? [] : [otherwise]),
    ],
  });
}
