import { NO_RETRY } from '../retry-policy.ts';
import { OPS } from './ops/transform-ops.ts';
import { type StepOf, stepKind } from './step-kind.ts';

export type TransformStep = StepOf<typeof transformStep>;

/** `transform`: rows into rows, by operations one after another. */
export const transformStep = stepKind({
  kind: 'transform',
  words: 'Changes rows with operations, one after another.',
  atOnce:
    'its operations take the rows one after another; a "lookup" has a "concurrency" of its own, and so has a script step for costly code',
  takesRows: true,
  givesRows: true,
  retry: NO_RETRY,
  keys: { ops: OPS },
  // A join that could not be read names none.
  sources: ({ ops }) =>
    ops.flatMap((op, index) =>
      op.op === 'join' && op.with ? [{ step: op.with, keys: ['ops', index, 'join', 'with'] }] : [],
    ),
});
