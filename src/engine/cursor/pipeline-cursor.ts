import { canonicalJson, isRecord } from '../../base/json.ts';
import type { ExtractStep } from '../../language/task/steps/extract-step.ts';
import type { LoadStep } from '../../language/task/steps/load/load-step.ts';
import type { Flow, Stage } from '../pipeline/flow.ts';
import { RunFault } from '../run-fault.ts';
import type { RunState } from '../run-state.ts';
import { type OpenLoad, wasLoaded } from '../steps/load/load.ts';
import { loadIdOf } from '../steps/load/load-id.ts';
import { untilAborted } from '../until-aborted.ts';
import { appendByTime, type CursorRange, isOrderedBySource, limitsItself, rangeOf } from './cursor-range.ts';
import { CursorTracker } from './cursor-tracker.ts';
import { isAfter, timeOfCursor } from './cursor-value.ts';

type LoadOfCursor = Pick<OpenLoad, 'stage' | 'object' | 'alreadyDone'>;

/** The cursor of one pipeline attempt: where it starts, and how it moves on when the loads are in. */
export interface PipelineCursor {
  readonly checkpoint: CursorCheckpoint;
  readonly tracker: CursorTracker;
  /** What the extract reads: from the saved value, with its lookback, or from the rendered `initial`. */
  start(): Promise<CursorRange>;
  /** Finishes what an earlier run left between its commit and its save; before the loads open. */
  settle(loads: readonly Stage<LoadStep>[], flow: Flow): Promise<void>;
  /** Before the loads commit. */
  prepare(loads: readonly LoadOfCursor[], greatest: unknown): Promise<void>;
  /** After all of them have. */
  advance(loads: readonly LoadOfCursor[], greatest: unknown): Promise<void>;
}

/** null where the extract has no cursor. */
export function createPipelineCursor(run: RunState, step: ExtractStep): PipelineCursor | null {
  if (step.cursor === null) return null;
  const tracker = new CursorTracker(step);
  const checkpoint = new CursorCheckpoint(run, step);
  let pending: PendingCursor | null = null;
  return {
    checkpoint,
    tracker,
    start: async () => {
      const range = await rangeOf(run, step, checkpoint.saved.value);
      if (range.from === null) logFullRead(run, step);
      return range;
    },
    settle: async (loads, flow) => {
      // Only appends need it: the other modes give the same target when rows come twice.
      if (!loads.some((load) => load.step.mode === 'append')) return;
      pending = await checkpoint.readPending();
      if (pending === null || !(await allLoaded(pending, loads, flow))) return;
      run.ports.log(
        'info',
        step.id,
        'An earlier run loaded its rows but ended before moving the cursor; it has been moved now',
      );
      await checkpoint.advance(pending.cursor);
    },
    prepare: async (loads, greatest) => {
      const appends = loads.filter((load) => load.stage.step.mode === 'append' && load.alreadyDone === null);
      if (greatest === null || appends.length === 0) return;
      const all = loads.filter((load) => load.stage.step.mode === 'append');
      await checkpoint.savePending({
        cursor: pending !== null && all.length > appends.length ? pending.cursor : greatest,
        from: checkpoint.saved.value,
        loads: all.map(({ stage, object }) => ({
          step: stage.step.id,
          object,
          load_id: loadIdOf(run, stage.step.id),
        })),
      });
    },
    advance: async (loads, greatest) => {
      // A load of an earlier attempt has the rows up to that attempt's cursor only, so it may not move further.
      const earlier = loads.some((load) => load.alreadyDone !== null);
      const value = earlier ? (pending?.cursor ?? null) : greatest;
      if (value === null) return;
      await checkpoint.advance(value);
      if (tracker.seen > 0) warnOfSameTime(run, step, value);
    },
  };
}

function logFullRead(run: RunState, step: ExtractStep): void {
  if (step.cursor?.isState === true) {
    run.ports.log('info', step.id, 'No saved source state: this run reads from the beginning');
    return;
  }
  const message = limitsItself(run, step)
    ? 'No saved cursor and no "initial": this run reads all rows'
    : '"initial" of the cursor gave nothing, so that "state.cursor" is null: a condition on it may find no rows';
  run.ports.log(limitsItself(run, step) ? 'info' : 'warn', step.id, message);
}

/** Rows of that time which come later are greater than no cursor. */
function warnOfSameTime(run: RunState, step: ExtractStep, value: unknown): void {
  const load = appendByTime(run, step);
  if (load === null) return;
  const message = `"${load.id}" appends up to "${step.cursor?.field}" ${String(value)}: a row that gets this value, or an earlier one, later is never read. Use "mode: merge" with a key (then "lookback" also catches late rows), or hold the cursor back with "end"`;
  run.ports.log('warn', step.id, message);
}

async function allLoaded(
  pending: PendingCursor,
  loads: readonly Stage<LoadStep>[],
  flow: Flow,
): Promise<boolean> {
  for (const { step, object, load_id: loadId } of pending.loads) {
    const stage = loads.find((load) => load.step.id === step && load.step.mode === 'append');
    if (stage === undefined || !(await wasLoaded(stage, flow, object, loadId))) return false;
  }
  return pending.loads.length > 0;
}

/** Time for a run that is cancelled right after its commit to save the cursor of what it has loaded. */
const SAVE_GRACE_MS = 2_000;

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(a ?? null) === canonicalJson(b ?? null);
}

/** Clocks differ a little, and days end later in the east. */
const FUTURE_MS_MAX = 86_400_000;

/** A saved cursor as it was last read or written. */
interface SavedCursor {
  readonly value: unknown;
  readonly version: number;
}

/**
 * What an extract's cursor will be once these loads have committed. It is saved before they commit, so that a run which dies
 * between a commit and the save of the cursor is understood by the next: the target tells whether the loads are in it.
 */
interface PendingCursor {
  readonly cursor: unknown;
  /** The saved cursor that it follows; absent in what an earlier version saved. */
  readonly from?: unknown;
  readonly loads: readonly { readonly step: string; readonly object: string; readonly load_id: string }[];
}

const NONE: SavedCursor = { value: null, version: 0 };

/** The cursors of one extract in the control plane: the one that counts, and the pending one beside it. */
class CursorCheckpoint {
  saved: SavedCursor = NONE;
  readonly #run: RunState;
  readonly #step: ExtractStep;
  readonly #type: NonNullable<ExtractStep['cursor']>['type'];
  /** Only the source knows the order of its texts and states, and has given what comes after the saved one. */
  readonly #isSourceOrder: boolean;
  #pendingVersion = 0;

  constructor(run: RunState, step: ExtractStep) {
    this.#run = run;
    this.#step = step;
    const isText = step.cursor?.type === 'string' && isOrderedBySource(run, step);
    this.#isSourceOrder = isText || step.cursor?.isState === true;
    this.#type = step.cursor?.type ?? 'string';
  }

  async read(): Promise<void> {
    this.saved = await this.#ask(this.#run.ports.checkpoint(this.#step.id));
  }

  /** The pending cursor, or null where there is none beyond the saved one. */
  async readPending(): Promise<PendingCursor | null> {
    const { value, version } = await this.#ask(this.#run.ports.checkpoint(this.#pendingName));
    this.#pendingVersion = version;
    if (!isRecord(value) || !Array.isArray(value['loads'])) return null;
    const pending = value as unknown as PendingCursor;
    const follows = Object.hasOwn(value, 'from')
      ? isSame(pending.from, this.saved.value) && !isSame(pending.cursor, pending.from)
      : this.#isNew(pending.cursor);
    return follows ? pending : null;
  }

  /** Throws `CONFLICT` where another run has loaded, or is about to load, from the same saved cursor. */
  async savePending(pending: PendingCursor): Promise<void> {
    const { ports } = this.#run;
    const { version } = await this.#ask(ports.checkpoint(this.#step.id));
    if (version !== this.saved.version)
      throw this.#conflict('Another run has moved the cursor in the meantime');
    const saved = await this.#ask(ports.saveCheckpoint(this.#pendingName, pending, this.#pendingVersion));
    this.#pendingVersion = saved.version;
    if (saved.stored) return;
    // Stored by a call whose answer was lost.
    const { value } = await this.#ask(ports.checkpoint(this.#pendingName));
    if (canonicalJson(value) === canonicalJson(pending)) return;
    throw this.#conflict('Another run is loading from the same cursor at the same time');
  }

  /** Both would append the same rows. The other has come first; another attempt reads what is new after it. */
  #conflict(message: string): RunFault {
    return new RunFault('CONFLICT', message, { reason: 'task_error', stepId: this.#step.id, runRetry: true });
  }

  /** Moves the cursor on, never back. One that another run has moved meanwhile is read again, once. */
  async advance(value: unknown): Promise<void> {
    if (!this.#isNew(value)) return;
    this.#warnOfFuture(value);
    if (await this.#save(value)) return;
    this.#warn('Another run has moved the cursor in the meantime');
    await this.read();
    // The other's may be the greater one.
    if (this.#isSourceOrder || !this.#isNew(value) || (await this.#save(value))) return;
    this.#warn('The cursor could not be saved; the next run reads the same rows again');
  }

  get #pendingName(): string {
    return `${this.#step.id}.pending`;
  }

  #isNew(value: unknown): boolean {
    if (value === null || value === undefined) return false;
    if (this.#isSourceOrder) return !isSame(value, this.saved.value);
    return this.saved.value === null || isAfter(this.#type, value, this.saved.value);
  }

  /** A source whose clock was wrong for a while would hide all that comes until then. */
  #warnOfFuture(value: unknown): void {
    const ahead = timeOfCursor(this.#type, value) - this.#run.context.clock.now();
    if (!(ahead > FUTURE_MS_MAX)) return;
    this.#warn(
      `The cursor moves to ${String(value)}, which is in the future: rows that arrive later with smaller values are skipped. Set "end" to hold it back`,
    );
  }

  async #save(value: unknown): Promise<boolean> {
    const { ports } = this.#run;
    const answer = await this.#ask(ports.saveCheckpoint(this.#step.id, value, this.saved.version));
    if (answer.stored) this.saved = { value, version: answer.version };
    return answer.stored;
  }

  #warn(message: string): void {
    this.#run.ports.log('warn', this.#step.id, message);
  }

  async #ask<T>(asked: Promise<T>): Promise<T> {
    try {
      return await untilAborted(asked, this.#run.signal, SAVE_GRACE_MS);
    } catch (cause) {
      if (cause instanceof RunFault) throw cause;
      const message = 'The saved cursor could not be read or written';
      throw new RunFault('REPORT_FAILED', message, {
        reason: 'task_error',
        stepId: this.#step.id,
        runRetry: true,
        cause,
      });
    }
  }
}
