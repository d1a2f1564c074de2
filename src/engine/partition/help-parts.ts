import type { RunHelp } from '../../base/run-parts.ts';
import { NOTHING_DONE, type RunOutcome } from '../../base/run-report.ts';
import { linkedController } from '../linked-controller.ts';
import { closeConnection, openConnection } from '../open-connection.ts';
import { planFault } from '../plan/plan-fault.ts';
import { planTask } from '../plan/plan-task.ts';
import type { RunInput, RunPorts } from '../run.ts';
import type { RunContext } from '../run-context.ts';
import { RunFault, toRunFault } from '../run-fault.ts';
import { createRunState, type RunState, runScope, stateOf, usesOf } from '../run-state.ts';
import { runUnits } from '../run-units.ts';
import { renderObject } from '../steps/load/load.ts';
import { type Divided, dividedOf } from './divided.ts';
import { SharedDispatcher } from './part-dispatcher.ts';
import { isPartOrder, type PartOrder } from './part-order.ts';
import { planOf } from './part-plan.ts';
import { openTarget, PartWorker } from './part-worker.ts';

const CANCELLED = new RunFault('CANCELLED', 'The run was cancelled', { reason: 'user', stepId: '' });

/**
 * Works on parts of another run until none is left: each is staged at the target, and that run publishes them. A part that fails here
 * goes back to that run, and this one ends with the fault.
 */
export async function helpWithParts(
  input: RunInput,
  { run_id, step_id, order }: RunHelp,
  ports: RunPorts,
  context: RunContext,
): Promise<RunOutcome> {
  const { parts } = ports;
  if (!isPartOrder(order) || parts === undefined) {
    ports.log('info', '', `Run ${run_id} has no parts left`);
    return { ...NOTHING_DONE, status: 'success', reason: '' };
  }
  const { scope, plan: saved } = order;
  const planned = planTask({ ...input, args: scope.args, run: scope.run, replay: null }, context);
  if (!planned.ok) return failed(planFault(planned.problems), ports);
  const { plan } = planned;
  const control = linkedController(context.signal);
  const state = createRunState({
    input: { ...input, args: scope.args, run: scope.run },
    ports,
    context,
    plan,
    signal: control.signal,
    runUnits,
  });
  const run: RunState = { ...state, names: { run: scope.run, state: scope.state, steps: scope.steps } };
  const divided = pipelineOf(order, step_id, run);
  ports.log('info', step_id, `Working on parts of run ${run_id}`);
  let fault: RunFault | null = null;
  try {
    await work(divided, run, { ask: parts, saved });
  } catch (error) {
    fault = context.signal.aborted ? CANCELLED : toRunFault(error, step_id);
  } finally {
    control.unlink();
    await run.shared.close();
  }
  return outcomeOf(divided, run, fault);
}

/** The pipeline as the other run works on it. */
function pipelineOf({ steps }: PartOrder, stepId: string, run: RunState): Divided {
  for (const unit of run.plan.units) {
    if (unit.kind !== 'pipeline' || unit.steps[0]?.id !== stepId) continue;
    const divided = dividedOf(
      unit.steps.filter(({ id }) => steps.includes(id)),
      run,
    );
    if (divided !== null) return divided;
  }
  throw new Error(`The plan has no divided extract "${stepId}"`);
}

async function work(
  divided: Divided,
  run: RunState,
  { ask, saved }: { readonly ask: NonNullable<RunPorts['parts']>; readonly saved: PartOrder['plan'] },
): Promise<void> {
  const { extract, load, steps } = divided;
  const { partition } = extract;
  if (partition === null) return;
  const plan = planOf(partition, saved);
  const connection = await openConnection(run, load, run.signal);
  try {
    const object = await renderObject(load, { scope: runScope(run) });
    const target = await openTarget(divided, run, connection, object);
    if (target.alreadyDone !== null) return;
    for (const { id } of steps) stateOf(run, id).start(run.context.clock.now());
    const { signal } = run;
    const dispatcher = new SharedDispatcher({
      parts: plan.parts,
      stepId: extract.id,
      ask,
      signal,
      waits: false,
    });
    await new PartWorker(divided, run, target, plan).takeAll(dispatcher).catch((error: unknown) => {
      // The other run has ended, and its target takes nothing more.
      throw dispatcher.isClosed ? CANCELLED : error;
    });
  } finally {
    await closeConnection(connection);
  }
}

function outcomeOf({ steps, load }: Divided, run: RunState, fault: RunFault | null): RunOutcome {
  const results = steps.map(({ id }) => stateOf(run, id).result(id));
  const { ports } = run;
  const staged = stateOf(run, load.id).figures.rows_out;
  if (fault !== null) return { ...failed(fault, ports), steps: results, ...usesOf(run) };
  ports.log('info', '', `${staged} rows staged`);
  return { ...NOTHING_DONE, status: 'success', reason: '', rows_out: staged, steps: results, ...usesOf(run) };
}

function failed(fault: RunFault, ports: RunPorts): RunOutcome {
  const status = fault === CANCELLED ? 'cancelled' : 'error';
  if (status === 'error') ports.log('error', fault.stepId, fault.message, { code: fault.code });
  const failure = { code: fault.code, message: fault.message, step_id: fault.stepId };
  return { ...NOTHING_DONE, status, reason: fault.reason, failure };
}
