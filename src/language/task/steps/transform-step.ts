import { NO_RETRY } from '../retry-policy.ts';
import type { StepReader } from './step-base.ts';
import { readOps } from './transform-ops.ts';

/** `transform`: rows into rows, by operations one after another. */
export const transformStep: StepReader = {
  keys: { keys: ['input', 'ops', 'batch'] },
  takesRows: true,
  givesRows: true,
  retry: NO_RETRY,
  read: (reader, common) => ({
    ...common,
    kind: 'transform',
    input: common.input ?? '',
    ops: readOps(reader),
  }),
};
