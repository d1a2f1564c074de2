import type { ExtractStep } from '../../language/task/steps/extract-step.ts';
import type { LoadStep } from '../../language/task/steps/load/load-step.ts';
import type { Step } from '../../language/task/steps/steps.ts';
import { createPipelineCursor, type PipelineCursor } from '../cursor/pipeline-cursor.ts';
import { type LinkedController, linkedController } from '../linked-controller.ts';
import type { StreamStep } from '../plan/group-steps.ts';
import { logEnded } from '../report/step-report.ts';
import { type RunFault, toRunFault } from '../run-fault.ts';
import { type RunState, runScope } from '../run-state.ts';
import { StepTimers } from '../step-timers.ts';
import { lockPlace, type OpenLoad, openLoad } from '../steps/load/load.ts';
import { untilAborted } from '../until-aborted.ts';
import type { BatchQueue } from './batch-queue.ts';
import { DeadLetterBuffer } from './dead-letter-buffer.ts';
import { type Flow, queuesOf, type Stage } from './flow.ts';
import { createStages, failStages, isLoadStage } from './pipeline-stages.ts';
import { runStage } from './run-stage.ts';

/** What became of an attempt that failed. */
export interface AttemptFault {
  readonly fault: RunFault;
  /** Some load had committed: the pipeline cannot be tried again in this attempt of the run. */
  readonly committed: boolean;
}

export interface PipelineAttemptOptions {
  readonly run: RunState;
  /** The extract first, or, in a replay, the step that gets the rows. */
  readonly steps: readonly StreamStep[];
  /** The pipeline has loads, and all of them are off by their conditions. */
  readonly loadsOff: boolean;
  /** A failure that will be tried again ends the attempt even where its step is allowed to fail. */
  readonly mayRetry: (fault: RunFault) => boolean;
}

/** Ends the steps after one that failed and was allowed to. */
class BranchBroken extends Error {}

/**
 * One try of a pipeline: loads open, stages run until all rows have passed, then the loads commit and the cursor moves. States:
 * opening → streaming → committing → done; any failure before the first commit leaves every target as it was.
 */
export class PipelineAttempt {
  readonly #run: RunState;
  readonly #loadsOff: boolean;
  readonly #mayRetry: (fault: RunFault) => boolean;
  readonly #controller: LinkedController;
  readonly #timers: StepTimers;
  readonly #letters: DeadLetterBuffer;
  readonly #stages: readonly Stage[];
  #loads: OpenLoad[] = [];
  #broken = new Set<string>();
  #committed = false;

  constructor({ run, steps, loadsOff, mayRetry }: PipelineAttemptOptions) {
    this.#run = run;
    this.#loadsOff = loadsOff;
    this.#mayRetry = mayRetry;
    this.#controller = linkedController(run.signal);
    this.#timers = new StepTimers((fault) => this.#controller.abort(fault));
    this.#letters = new DeadLetterBuffer((items) => untilAborted(run.ports.deadLetters(items), run.signal));
    this.#stages = createStages(steps, run, this.#letters);
  }

  /** null when all went well, or went as far as steps that may fail allow. */
  async perform(): Promise<AttemptFault | null> {
    const { signal } = this.#controller;
    const onAbort = () => failStages(this.#stages, signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await this.#performAll();
      return null;
    } catch (error) {
      // The first failure counts: those that follow from it are its echo.
      const fault = toRunFault(signal.aborted ? signal.reason : error, this.#stages[0]?.step.id ?? '');
      this.#controller.abort(fault);
      if (fault.reason === 'item_errors') await this.#letters.flush().catch(() => undefined);
      return { fault, committed: this.#committed || this.#hasItemsDone() };
    } finally {
      await Promise.all(this.#loads.map((load) => load.abandon()));
      this.#timers.clearAll();
      signal.removeEventListener('abort', onAbort);
      this.#controller.unlink();
    }
  }

  /** Steps of a foreach have acted, and would act again on the same rows. */
  #hasItemsDone(): boolean {
    return this.#stages.some(({ step, state }) => step.kind === 'foreach' && state.figures.rows_in > 0);
  }

  async #performAll(): Promise<void> {
    // The parts of an extract have no cursor of their own.
    const isWhole = this.#run.origins === null && this.#run.part === null;
    const source = isWhole ? this.#cursorSource() : null;
    const cursor = source === null ? null : createPipelineCursor(this.#run, source);
    for (const stage of this.#stages) {
      stage.state.start(this.#run.context.clock.now());
      this.#timers.start(stage.step);
    }
    const flow = await this.#openFlow(cursor, source?.id ?? '');
    for (const stage of this.#stages.filter(isLoadStage)) {
      await this.#attempt(stage, async () => {
        const load = await openLoad(stage, flow);
        this.#loads.push(load);
        lockPlace(load, flow);
      });
    }
    if (this.#endsEarly()) {
      if (this.#broken.size === 0) await cursor?.advance(this.#loads, null);
      return;
    }
    await this.#stream(flow);
    await this.#commitAll(cursor, flow);
  }

  /** The extract with the cursor: of those that feed one query, one may have it. */
  #cursorSource(): ExtractStep | null {
    const extracts = this.#stages.map(({ step }) => step).filter((step) => step.kind === 'extract');
    return extracts.find(({ cursor }) => cursor !== null) ?? null;
  }

  async #openFlow(cursor: PipelineCursor | null, stepId: string): Promise<Flow> {
    const run = this.#run;
    const { signal } = this.#controller;
    const flowAt = (state: Record<string, unknown>, read: Flow['cursor']): Flow => ({
      run,
      signal,
      scope: runScope(run, state),
      letters: this.#letters,
      locked: new Map(run.locked),
      cursor: read,
    });
    if (run.origins !== null) return flowAt({ cursor: await this.#initialCursor() }, null);
    if (cursor === null) return flowAt({ ...run.part?.state }, null);
    await cursor.checkpoint.read();
    await cursor.settle(this.#stages.filter(isLoadStage), flowAt({}, null));
    const range = await cursor.start();
    return flowAt({ cursor: range.from }, { stepId, range, tracker: cursor.tracker });
  }

  /** A replay has rows of any age: for its expressions the cursor is where it was at the very beginning. */
  async #initialCursor(): Promise<unknown> {
    const { steps } = this.#run.plan.task;
    let step: Step | undefined = this.#stages[0]?.step;
    while (step !== undefined && step.kind !== 'extract') {
      const { input }: Step = step;
      step = steps.find(({ id }) => id === input);
    }
    const initial = step?.cursor?.initial ?? null;
    return initial === null ? null : ((await initial.render(runScope(this.#run))) ?? null);
  }

  /** Loads that an earlier attempt committed end here; when that is all of them, nothing is read at all. */
  #endsEarly(): boolean {
    const now = this.#run.context.clock.now();
    for (const { alreadyDone, stage } of this.#loads) {
      if (alreadyDone === null) continue;
      stage.input?.discard();
      stage.state.figures.rows_out = alreadyDone.rows;
      this.#run.ports.log(
        'info',
        stage.step.id,
        `An earlier attempt already loaded these ${alreadyDone.rows} rows`,
      );
      this.#warnUnverified(stage);
      this.#endWell(stage);
    }
    if (this.#loads.length === 0 || this.#loads.some((load) => load.alreadyDone === null)) return false;
    for (const { step, state } of this.#stages) {
      if (step.kind !== 'load') state.end('skipped', now);
    }
    return true;
  }

  /** Whether an earlier attempt has verified what it loaded is not known here, and its rows may not come again. */
  #warnUnverified({ step, state }: Stage<LoadStep>): void {
    if (step.verify === null) return;
    state.isOdd = true;
    const message =
      'Whether they were verified is not known, as that attempt ended early: a verify step compares them';
    this.#run.ports.log('warn', step.id, message);
  }

  async #stream(flow: Flow): Promise<void> {
    const bodies = this.#stages.map((stage) => this.#attempt(stage, () => this.#runStage(stage, flow)));
    const first = this.#stages[0]?.input ?? null;
    if (first !== null) bodies.push(this.#feed(first, flow));
    const failed = (await Promise.allSettled(bodies)).find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    this.#controller.signal.throwIfAborted();
  }

  async #feed(queue: BatchQueue, flow: Flow): Promise<void> {
    const { replay } = this.#run.input;
    try {
      if (replay !== undefined && replay !== null) {
        const { feedReplay } = await import('../steps/replay.ts');
        await feedReplay(replay, (batch) => queue.push(batch), flow);
      }
      queue.close();
    } catch (error) {
      const fault = toRunFault(error, replay?.step_id ?? '');
      this.#controller.abort(fault);
      throw fault;
    }
  }

  async #runStage(stage: Stage, flow: Flow): Promise<void> {
    if (stage.step.kind === 'load') {
      const load = this.#loads.find((open) => open.stage.step.id === stage.step.id);
      if (load !== undefined && load.alreadyDone === null) await load.run();
      return;
    }
    await runStage(stage, flow);
    for (const output of stage.outputs) output.close();
    this.#endWell(stage);
  }

  /**
   * Runs a part of a stage. Where it fails and the step may fail, only the steps that it feeds end with it; else the whole
   * attempt does.
   */
  async #attempt(stage: Stage, body: () => Promise<void>): Promise<void> {
    const { step, state } = stage;
    const { signal } = this.#controller;
    if (this.#broken.has(step.id)) return;
    try {
      await body();
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const now = this.#run.context.clock.now();
      if (step.kind === 'load' && !state.isCommitted) state.figures.rows_out = 0;
      if (error instanceof BranchBroken) {
        state.end('skipped', now, 'Its input step failed');
      } else {
        const fault = toRunFault(error, step.id);
        if (!step.allowFailure || step.kind === 'extract' || this.#mayRetry(fault)) {
          this.#controller.abort(fault);
          throw fault;
        }
        state.end('error', now, fault.message);
        logEnded(this.#run, state);
      }
      this.#timers.clear(step);
      this.#broken.add(step.id);
      for (const queue of queuesOf(stage)) queue.discard();
      for (const output of stage.outputs) output.fail(new BranchBroken());
    }
  }

  /**
   * Appends commit last: a later run that finds them in their target then knows that all the others are too, and may move
   * the cursor.
   */
  async #commitAll(cursor: PipelineCursor | null, flow: Flow): Promise<void> {
    await this.#letters.flush();
    const greatest = flow.cursor?.tracker.greatest ?? null;
    const [appends, others] = partition(this.#loads, (load) => load.stage.step.mode === 'append');
    for (const load of others) await this.#commit(load);
    if (this.#broken.size === 0) await cursor?.prepare(this.#loads, greatest);
    for (const load of appends) await this.#commit(load);
    // Items that a `stop` has left must come again.
    if (this.#run.end.isStopped) return;
    // Rows that some load did not take must come again, so the cursor stays where any has failed or all are off.
    if (this.#broken.size === 0 && !this.#loadsOff) await cursor?.advance(this.#loads, greatest);
  }

  async #commit(load: OpenLoad): Promise<void> {
    if (load.alreadyDone !== null) return;
    this.#controller.signal.throwIfAborted();
    await this.#attempt(load.stage, async () => {
      await load.commit(this.#stages);
      this.#committed = true;
    });
    await this.#attempt(load.stage, async () => {
      await load.verify();
      this.#endWell(load.stage);
    });
  }

  #endWell({ step, state }: Stage): void {
    this.#timers.clear(step);
    state.succeed(this.#run.context.clock.now());
    logEnded(this.#run, state);
  }
}

function partition<T>(items: readonly T[], first: (item: T) => boolean): [T[], T[]] {
  return [items.filter(first), items.filter((item) => !first(item))];
}
