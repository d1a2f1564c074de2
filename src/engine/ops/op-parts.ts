import type { LookupOp, Op, SetOp } from '../../language/task/steps/ops/transform-ops.ts';
import type { KeyFinder } from '../lookup/key-finder.ts';
import { LookupRows } from '../lookup/lookup-rows.ts';
import type { PlainOp } from './compile-ops.ts';
import { FlattenRows } from './flatten-rows.ts';
import { OpChain } from './op-chain.ts';
import type { OpPart } from './op-part.ts';
import { RowProgram, type RowProgramOptions } from './row-program.ts';

export interface OpPartsOptions extends Omit<RowProgramOptions, 'ops'> {
  readonly ops: readonly Exclude<Op, SetOp>[];
  /** What a lookup asks. */
  readonly finderOf: (op: LookupOp) => KeyFinder;
}

/** The operations of a step, ready for its rows: those on one row alone in one pass, and between them those that need whole batches. */
export function createOpPart(options: OpPartsOptions): OpPart {
  const parts: OpPart[] = [];
  let plain: PlainOp[] = [];
  const endPlain = () => {
    const condition = parts.length === 0 ? options.condition : null;
    if (plain.length > 0 || condition !== null)
      parts.push(new RowProgram({ ...options, ops: plain, condition }));
    plain = [];
  };
  for (const op of options.ops) {
    if (op.op !== 'flatten' && op.op !== 'lookup') plain.push(op);
    else {
      endPlain();
      parts.push(
        op.op === 'flatten'
          ? new FlattenRows(op, options)
          : new LookupRows(op, options.finderOf(op), options),
      );
    }
  }
  endPlain();
  const [only] = parts;
  if (only === undefined) return new RowProgram({ ...options, ops: [] });
  return parts.length === 1 ? only : new OpChain(parts);
}
