import type { Batch, Row } from '../../drivers/driver.ts';
import type { CallStep } from '../../language/task/steps/call-step.ts';
import type { LoadStep } from '../../language/task/steps/load/load-step.ts';
import type { Step } from '../../language/task/steps/steps.ts';
import type { VerifiedRows, VerifyStep } from '../../language/task/steps/verify/verify-step.ts';
import { isTrue } from '../../language/truth.ts';
import { closeConnection, openConnection } from '../open-connection.ts';
import { RunFault } from '../run-fault.ts';
import { type RunState, runScope } from '../run-state.ts';
import { untilAborted } from '../until-aborted.ts';
import { type Effect, type Made, madeOf, type PreviewOptions } from './preview-steps.ts';
import { transformSome } from './preview-transform.ts';

/** A step that reads no rows or writes some, up to what it would do; null for one of another kind. */
export async function effectOf(
  step: Step,
  run: RunState,
  input: readonly Batch[],
  options: PreviewOptions,
): Promise<Made | null> {
  const scope = runScope(run);
  switch (step.kind) {
    case 'load':
      return loadOf(step, run, input);
    case 'verify':
      return verifyOf(step, run);
    case 'call':
      return callOf(step, run, options);
    case 'assert': {
      if (isTrue(await step.check.evaluate(scope))) return madeOf([]);
      const text = step.message === null ? null : await step.message.render(scope);
      const why = text === null ? '' : `: ${String(text)}`;
      return {
        ...madeOf([]),
        warnings: [`The check "${step.check.source}" does not hold for these rows${why}`],
      };
    }
    case 'log':
      return would({ action: 'log', level: step.level, message: (await step.message.render(scope)) ?? null });
    case 'set_state': {
      const values: Record<string, unknown> = {};
      for (const [name, template] of Object.entries(step.values))
        values[name] = (await template.render(scope)) ?? null;
      return would({ action: 'set_state', values });
    }
    case 'sleep':
      return would({ action: 'sleep', duration_ms: step.durationMs });
    case 'stop': {
      run.end.isStopped = true;
      const message = step.message === null ? null : ((await step.message.render(scope)) ?? null);
      return would({ action: 'stop', status: step.status, message });
    }
    default:
      return null;
  }
}

function would(effect: Effect, rows: readonly Row[] = []): Made {
  return { ...madeOf(rows), would: effect };
}

/** The rows that would be written, without those that `when` leaves out. */
async function loadOf(step: LoadStep, run: RunState, input: readonly Batch[]): Promise<Made> {
  const object = await step.object.render(runScope(run));
  if (typeof object !== 'string' || object === '')
    throw new RunFault('VALIDATION_ERROR', 'The "object" of the load is empty', {
      reason: 'config_error',
      stepId: step.id,
    });
  const made = await transformSome(step, run, input, [], { given: new Map(), found: null });
  const { connector, mode, key, deleteMissing, verify } = step;
  const rows = made.batches.reduce((sum, batch) => sum + batch.rows.length, 0);
  const deletes_missing = deleteMissing !== null;
  const effect = {
    connector,
    object,
    mode,
    key,
    rows,
    deletes_missing,
    verify: verify?.onDifference ?? null,
  };
  return { ...made, would: { action: 'load', ...effect } };
}

/** Nothing is compared: the rows of the loads before are not in their targets, and a comparison reads all of both sides. */
async function verifyOf({ source, target, key, onDifference }: VerifyStep, run: RunState): Promise<Made> {
  const labelOf = async ({ connector, object, method }: VerifiedRows) =>
    `${connector}.${String((await object?.render(runScope(run))) ?? method)}`;
  return would({
    action: 'verify',
    source: await labelOf(source),
    target: await labelOf(target),
    key: key.map(({ left }) => left),
    on_difference: onDifference,
  });
}

/** A method that only reads is called; where connectors are not opened, and for a method that writes, it is told. */
async function callOf(step: CallStep, run: RunState, { given }: PreviewOptions): Promise<Made> {
  const { connector, method } = step;
  const args = (await step.args.render(runScope(run))) ?? {};
  const methods = run.plan.connectors.get(connector)?.driver.methods ?? [];
  const reads = methods.find(({ name }) => name === method)?.kind === 'value';
  if (!reads || given !== undefined) return would({ action: 'call', connector, method, args });
  const connection = await openConnection(run, step, run.signal);
  try {
    const output = await untilAborted(connection.call(method, args, run.signal), run.signal);
    return { ...madeOf([]), output: output ?? null };
  } finally {
    await closeConnection(connection);
  }
}
