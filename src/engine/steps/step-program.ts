import type { Row } from '../../drivers/driver.ts';
import type { OpPart } from '../ops/op-part.ts';
import { createOpPart, type OpPartsOptions } from '../ops/op-parts.ts';
import type { Flow, Stage } from '../pipeline/flow.ts';

/** Warnings of one step that the log shows. */
const WARNINGS_MAX = 20;

interface RowOps extends Pick<OpPartsOptions, 'ops' | 'finderOf'> {
  /** Default true. */
  readonly hasCondition?: boolean;
}

/** The program of a step's `when` per item, where it has no operations. */
export function conditionProgram(stage: Stage, flow: Flow): OpPart {
  const finderOf = () => {
    throw new Error('Only a transform looks up');
  };
  return rowProgram(stage, flow, { ops: [], finderOf });
}

/** The program of a step's `when` per item and its operations. */
export function rowProgram(stage: Stage, flow: Flow, { ops, hasCondition = true, finderOf }: RowOps): OpPart {
  const { step } = stage;
  const { origins } = flow.run;
  const told = new Set<string>();
  return createOpPart({
    ops,
    finderOf,
    condition: hasCondition && step.whenPerItem ? step.when : null,
    scope: flow.scope,
    signal: flow.signal,
    stepId: step.id,
    mappings: flow.run.plan.mappings,
    onChanged: origins === null ? undefined : (from, to) => inherit(origins, from, to),
    warn: (message) => {
      if (told.has(message) || told.size >= WARNINGS_MAX) return;
      told.add(message);
      flow.run.ports.log('warn', step.id, message);
    },
  });
}

/** What a row has become comes from the same dead letter. */
function inherit(origins: WeakMap<Row, number>, from: Row, to: Row): void {
  const letterId = origins.get(from);
  if (letterId !== undefined) origins.set(to, letterId);
}
