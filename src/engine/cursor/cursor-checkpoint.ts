import { isRecord } from '../../base/json.ts';
import type { ExtractStep } from '../../language/task/steps/extract-step.ts';
import { RunFault } from '../run-fault.ts';
import type { RunState } from '../run-state.ts';
import { untilAborted } from '../until-aborted.ts';
import { isAfter } from './cursor-value.ts';

/** A run that is cancelled just after its commit may take so long to save what it has loaded. */
export const SAVE_GRACE_MS = 2_000;

/** A saved cursor as it was last read or written. */
export interface SavedCursor {
  readonly value: unknown;
  readonly version: number;
}

/**
 * What an extract's cursor will be once these loads have committed. It is saved before they commit, so that a run which dies
 * between a commit and the save of the cursor is understood by the next: the target tells whether the loads are in it.
 */
export interface PendingCursor {
  readonly cursor: unknown;
  readonly loads: readonly { readonly step: string; readonly object: string; readonly load_id: string }[];
}

const NONE: SavedCursor = { value: null, version: 0 };

/** The cursors of one extract in the control plane: the one that counts, and the pending one beside it. */
export class CursorCheckpoint {
  saved: SavedCursor = NONE;
  readonly #run: RunState;
  readonly #step: ExtractStep;
  readonly #type: NonNullable<ExtractStep['cursor']>['type'];
  #pendingVersion = 0;

  constructor(run: RunState, step: ExtractStep) {
    this.#run = run;
    this.#step = step;
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
    return this.#isNew(pending.cursor) ? pending : null;
  }

  async savePending(pending: PendingCursor): Promise<void> {
    const { ports } = this.#run;
    const saved = await this.#ask(ports.saveCheckpoint(this.#pendingName, pending, this.#pendingVersion));
    this.#pendingVersion = saved.version;
    if (!saved.stored) this.#warn('Another run is loading from the same cursor at the same time');
  }

  /** Moves the cursor on, never back. One that another run has moved meanwhile is read again, once. */
  async advance(value: unknown): Promise<void> {
    if (!this.#isNew(value)) return;
    if (await this.#save(value)) return;
    this.#warn('Another run has moved the cursor in the meantime');
    await this.read();
    if (!this.#isNew(value) || (await this.#save(value))) return;
    this.#warn('The cursor could not be saved; the next run reads the same rows again');
  }

  get #pendingName(): string {
    return `${this.#step.id}.pending`;
  }

  #isNew(value: unknown): boolean {
    if (value === null || value === undefined) return false;
    return this.saved.value === null || isAfter(this.#type, value, this.saved.value);
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
