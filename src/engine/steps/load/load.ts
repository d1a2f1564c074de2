import { basename } from 'node:path';
import { SCHEMA_CHANGES_MAX } from '../../../base/run-report.ts';
import type { Connection, Writer } from '../../../drivers/driver.ts';
import { keepsRows } from '../../../drivers/driver-capabilities.ts';
import { oneAtATime } from '../../../language/task/check-loads.ts';
import type { LoadStep } from '../../../language/task/steps/load/load-step.ts';
import { closeConnection, openConnection, releaseConnection } from '../../open-connection.ts';
import type { Flow, Stage } from '../../pipeline/flow.ts';
import { takeWhole } from '../../pipeline/take-whole.ts';
import { logStarted } from '../../report/step-report.ts';
import { RunFault } from '../../run-fault.ts';
import type { RunState } from '../../run-state.ts';
import { untilAborted, withinGrace } from '../../until-aborted.ts';
import type { LoadVerifier } from '../../verify/verify-load.ts';
import { TargetColumns } from '../target/target-columns.ts';
import { auditOf, rowsThatStay } from './audit-columns.ts';
import { mayDelete, warnKept } from './complete-rows.ts';
import { ABORT_GRACE_MS, COMMIT_GRACE_MS } from './load-grace.ts';
import { loadIdOf } from './load-id.ts';
import { logLosses, lossesOf } from './losses.ts';
import { verifiedLater } from './verified-later.ts';
import { type Target, writeAll } from './write-rows.ts';

/** Modes in which some rows change nothing. */
const SKIPPING_MODES: readonly LoadStep['mode'][] = ['insert_only', 'delete', 'scd2'];

/** A load whose target is open. It ends by `commit` or by `abandon`, one of them, once. */
export interface OpenLoad {
  readonly stage: Stage<LoadStep>;
  readonly object: string;
  readonly alreadyDone: { readonly rows: number } | null;
  readonly lockedPlace: string | null;
  /** Writes what comes until the input ends. */
  run(): Promise<void>;
  /** Makes the rows visible; the step has ended well. `stages`: all of its pipeline. */
  commit(stages: readonly Stage[]): Promise<void>;
  /** Compares the target with what was written, where the step says so. Throws a `RunFault` where that fails it. */
  verify(): Promise<void>;
  /** The target is as it was. Never rejects; a second call does nothing. */
  abandon(): Promise<void>;
}

export async function renderObject(step: LoadStep, flow: Pick<Flow, 'scope'>): Promise<string> {
  const object = await step.object.render(flow.scope);
  if (typeof object === 'string' && object !== '') return object;
  throw new RunFault('VALIDATION_ERROR', 'The "object" of the load is empty', {
    reason: 'config_error',
    stepId: step.id,
  });
}

/** Two connectors may lead to one place, and the loads of a foreach to that of a load around it: they would wait for each other. */
export function lockPlace({ stage, lockedPlace }: OpenLoad, { locked }: Flow): void {
  if (lockedPlace === null) return;
  const stepId = stage.step.id;
  const other = locked.get(lockedPlace);
  if (other !== undefined)
    throw new RunFault('VALIDATION_ERROR', oneAtATime(other, stepId, basename(lockedPlace)), {
      reason: 'config_error',
      stepId,
    });
  locked.set(lockedPlace, stepId);
}

export async function openLoad(stage: Stage<LoadStep>, flow: Flow): Promise<OpenLoad> {
  const { step } = stage;
  const { run, signal } = flow;
  const object = await renderObject(step, flow);
  const connection = await openConnection(run, step, signal);
  try {
    const loadId = loadIdOf(run, step.id);
    const columns = await TargetColumns.of(step, flow, connection, object);
    const loadedAt = run.part?.loadedAt ?? run.context.clock.now();
    const audit = auditOf(step, { runId: run.input.run.id, loadedAt });
    const opened = await openWriter(stage, flow, connection, { object, loadId, loadedAt });
    const verifier = await verifierOf(stage, flow, object);
    const later = mayVerifyLater(stage, flow) && opened.alreadyDone !== null;
    if (later)
      run.ports.log(
        'info',
        step.id,
        `An earlier attempt already loaded these ${opened.alreadyDone.rows} rows; they are read again to verify them`,
      );
    return createOpenLoad(stage, flow, {
      connection,
      writer: later ? verifiedLater(opened, opened.alreadyDone) : opened,
      object,
      columns,
      audit,
      changes: [],
      lossyLeft: new Set(step.lossy.keys()),
      verifier,
    });
  } catch (error) {
    await closeConnection(connection);
    throw error;
  }
}

/**
 * Whether the rows that an earlier attempt loaded can be read once more to verify them: a cursor may have moved past them, and of rows
 * that may fail nobody knows which the target refused.
 */
function mayVerifyLater({ step }: Stage<LoadStep>, { cursor }: Flow): boolean {
  return step.verify !== null && cursor === null && step.onError.action === 'fail';
}

/** Its code is loaded by the first load that is verified. */
async function verifierOf(stage: Stage<LoadStep>, flow: Flow, object: string): Promise<LoadVerifier | null> {
  const { verify } = stage.step;
  if (verify === null) return null;
  const { LoadVerifier } = await import('../../verify/verify-load.ts');
  return new LoadVerifier(verify, stage, flow, object);
}

async function openWriter(
  { step, state }: Stage<LoadStep>,
  { run, signal }: Flow,
  connection: Connection,
  {
    object,
    loadId,
    loadedAt,
  }: { readonly object: string; readonly loadId: string; readonly loadedAt: number },
): Promise<Writer> {
  const { mode, key, allowEmpty, onError, lossy } = step;
  const rowsMayFail = onError.action !== 'fail';
  const columnsAreFixed = hasFixedColumns(step, run);
  const auditColumns = Object.values(step.audit ?? {}).filter((name) => name !== null);
  const { part } = run;
  const opening = run.tally.time(step.connector, state.meter, () =>
    part !== null
      ? part.openWriter(signal)
      : connection.openWriter({
          object,
          mode,
          key,
          loadId,
          allowEmpty,
          ...rowsThatStay(step, loadedAt),
          rowsMayFail,
          columnsAreFixed,
          auditColumns,
          lossy,
          log: (level, message) => run.ports.log(level, step.id, message),
          signal,
        }),
  );
  try {
    return await untilAborted(opening, signal);
  } catch (error) {
    opening.then(
      (late) => withinGrace(() => late.abort(), ABORT_GRACE_MS),
      () => undefined,
    );
    throw error;
  }
}

/** True where no batch can bring a new column: none may, or the rows come straight from a source whose rows all have the same. */
export function hasFixedColumns({ newColumns, newTypes, input }: LoadStep, { plan }: RunState): boolean {
  if (newTypes === 'variant' || newTypes === 'evolve') return false;
  if (newColumns !== 'evolve') return true;
  const source = plan.task.steps.find(({ id }) => id === input);
  // Files in different parts may have different columns.
  if (source?.kind !== 'extract' || source.partition?.files != null) return false;
  return plan.connectors.get(source.connector)?.driver.capabilities.fixedColumns === true;
}

function createOpenLoad(stage: Stage<LoadStep>, flow: Flow, target: Target): OpenLoad {
  const { step, state } = stage;
  const { run, signal } = flow;
  const { connection, writer, object, verifier } = target;
  let ended = false;
  let written = 0;
  return {
    stage,
    object,
    alreadyDone: writer.alreadyDone,
    lockedPlace: writer.lockedPlace ?? null,
    run: async () => {
      logStarted(run, state, { connector: step.connector, object, mode: step.mode });
      written = (await takeWhole(stage, flow, writer, object)) ?? (await writeAll(stage, flow, target));
    },
    commit: async (stages) => {
      ended = true;
      const isComplete = step.deleteMissing !== null && mayDelete(stage, stages, flow, written);
      // Parts without rows are as usual; what none of them has is told when they are published.
      if (written === 0 && run.part === null) warnKept(run, step, object);
      try {
        const committing = run.tally.time(step.connector, state.meter, () => writer.commit(isComplete));
        const committed = await untilAborted(committing, signal, COMMIT_GRACE_MS);
        const { rows, deleted = 0, dropped = 0 } = committed;
        // Rows that the target had already, or, of a `delete`, had not.
        if (SKIPPING_MODES.includes(step.mode)) state.figures.rows_skipped += written - rows - dropped;
        state.figures.rows_out = rows;
        state.figures.rows_deleted = deleted;
        state.isCommitted = true;
        state.changes = target.changes.slice(0, SCHEMA_CHANGES_MAX);
        if (written > 0) warnUnknown(target, step, run);
        state.losses = lossesOf(object, committed);
        logLosses(object, committed, (level, message) => run.ports.log(level, step.id, message));
      } catch (error) {
        await withinGrace(() => writer.abort(), ABORT_GRACE_MS);
        await closeConnection(connection);
        throw error;
      }
      await releaseConnection(run, step.connector, connection);
    },
    verify: async () => {
      if (verifier === null || (written === 0 && !step.allowEmpty)) return;
      try {
        await verifier.verify();
      } finally {
        verifier.close();
      }
    },
    abandon: async () => {
      verifier?.close();
      if (ended) return;
      ended = true;
      const tidy = await withinGrace(() => writer.abort(), ABORT_GRACE_MS);
      const capabilities = capabilitiesOf(step, run);
      if (state.figures.rows_in > 0 && capabilities !== undefined && keepsRows(capabilities, step.mode))
        run.ports.log('warn', step.id, `The load ended early: rows already sent to "${object}" remain there`);
      if (!tidy) run.ports.log('warn', step.id, `The load into "${object}" could not be rolled back in time`);
      await closeConnection(connection);
    },
  };
}

function capabilitiesOf({ connector }: LoadStep, { plan }: RunState) {
  return plan.connectors.get(connector)?.driver.capabilities;
}

/** Names that no column of the rows has, such as mistyped ones. */
function warnUnknown({ lossyLeft, object }: Target, { id }: LoadStep, { ports, part }: RunState): void {
  if (part !== null) return;
  for (const name of lossyLeft)
    ports.log('warn', id, `"lossy" names "${name}", which is no column of the rows for "${object}"`);
}

/** Whether an earlier run's load under `loadId` has committed; asks the target and leaves it as it is. */
export async function wasLoaded(
  stage: Stage<LoadStep>,
  flow: Flow,
  object: string,
  loadId: string,
): Promise<boolean> {
  const connection = await openConnection(flow.run, stage.step, flow.signal);
  try {
    const writer = await openWriter(stage, flow, connection, { object, loadId, loadedAt: 0 });
    await withinGrace(() => writer.abort(), ABORT_GRACE_MS);
    return writer.alreadyDone !== null;
  } finally {
    await closeConnection(connection);
  }
}
