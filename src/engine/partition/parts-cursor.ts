import type { ColumnType } from '../../drivers/driver.ts';
import type { FoundFile } from '../../drivers/files/storage/found-file.ts';
import { type CursorRange, rangedArgs } from '../cursor/cursor-range.ts';
import { createPipelineCursor, type PipelineCursor } from '../cursor/pipeline-cursor.ts';
import { DeadLetterBuffer } from '../pipeline/dead-letter-buffer.ts';
import type { Flow } from '../pipeline/flow.ts';
import { createStages, isLoadStage } from '../pipeline/pipeline-stages.ts';
import { type RunState, runScope, stateOf } from '../run-state.ts';
import type { Divided } from './divided.ts';

/**
 * The cursor of an extract whose files are read in parts: on when they were changed, so that the list of files says where it will be.
 * It is saved once all parts are published.
 */
export class PartsCursor {
  readonly range: CursorRange;
  readonly #cursor: PipelineCursor;
  readonly #divided: Divided;
  readonly #run: RunState;
  readonly #stages: ReturnType<typeof createStages>;

  private constructor(
    divided: Divided,
    run: RunState,
    cursor: PipelineCursor,
    range: CursorRange,
    stages: ReturnType<typeof createStages>,
  ) {
    this.#divided = divided;
    this.#run = run;
    this.#cursor = cursor;
    this.range = range;
    this.#stages = stages;
  }

  /** null where the extract has none. Finishes what an earlier run left between its publication and its save. */
  static async open(divided: Divided, run: RunState): Promise<PartsCursor | null> {
    const { extract, steps } = divided;
    const cursor = createPipelineCursor(run, extract);
    if (cursor === null) return null;
    const letters = new DeadLetterBuffer(async () => undefined);
    const stages = createStages(steps, run, letters);
    const { signal } = run;
    const flow: Flow = {
      run,
      signal,
      scope: runScope(run),
      letters,
      locked: new Map(run.locked),
      cursor: null,
    };
    await cursor.checkpoint.read();
    await cursor.settle(stages.filter(isLoadStage), flow);
    return new PartsCursor(divided, run, cursor, await cursor.start(), stages);
  }

  /** The rendered arguments with the condition that leaves out files which were read before. */
  argsOf(rendered: unknown): unknown {
    const { args, isSorted } = rangedArgs(this.#run, this.#divided.extract, rendered, this.range);
    this.#cursor.tracker.begin(isSorted, this.range.saved);
    return args;
  }

  /** Where the cursor will be when these files are loaded: as if each of them were one row. */
  see(files: readonly FoundFile[]): void {
    const { extract } = this.#divided;
    const field = extract.cursor?.field ?? '';
    const columns = [{ name: field, type: 'timestamp' as ColumnType, nullable: false }];
    this.#cursor.tracker.see({ columns, rows: files.map(({ modified }) => ({ [field]: modified })) });
    stateOf(this.#run, extract.id).cursor = { from: this.range.from, to: this.#cursor.tracker.greatest };
  }

  /** Before the parts are published. */
  async prepare(object: string): Promise<void> {
    await this.#cursor.prepare(this.#loads(object, null), this.#cursor.tracker.greatest);
  }

  /** After they are; `alreadyDone`: by an earlier attempt. */
  async advance(object: string, alreadyDone: { readonly rows: number } | null): Promise<void> {
    await this.#cursor.advance(this.#loads(object, alreadyDone), this.#cursor.tracker.greatest);
  }

  #loads(object: string, alreadyDone: { readonly rows: number } | null) {
    return this.#stages.filter(isLoadStage).map((stage) => ({ stage, object, alreadyDone }));
  }
}
