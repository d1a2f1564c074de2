import type { RunPorts } from '../../run.ts';
import { RunFault } from '../../run-fault.ts';

/** JSON of one value, in UTF-16 units. */
export const STATE_CHARS_MAX = 64 * 1024;

/** The name of a value beside the cursors of the same task in a job: no step id has a slash. */
export function stateName(name: string): string {
  return `state/${name}`;
}

/** What `set_state` steps of earlier runs have kept, and those of this one; expressions read it as `state`. */
export class TaskState {
  readonly #ports: Pick<RunPorts, 'checkpoint' | 'saveCheckpoint'>;
  readonly #values = new Map<string, { readonly value: unknown; readonly version: number }>();
  #saving: Promise<unknown> = Promise.resolve();

  constructor(ports: Pick<RunPorts, 'checkpoint' | 'saveCheckpoint'>) {
    this.#ports = ports;
  }

  get values(): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...this.#values].map(([name, { value }]) => [name, value]));
  }

  /** Before the first step. */
  async read(names: Iterable<string>): Promise<void> {
    for (const name of new Set(names))
      this.#values.set(name, await kept('', () => this.#ports.checkpoint(stateName(name))));
  }

  /** Resolves when the value is durable. Throws `CONFLICT` where another run has changed it since this one read it. */
  set(stepId: string, name: string, value: unknown): Promise<void> {
    const saved = this.#saving.then(() => this.#save(stepId, name, value));
    this.#saving = saved.catch(() => undefined);
    return saved;
  }

  async #save(stepId: string, name: string, value: unknown): Promise<void> {
    const length = JSON.stringify(value)?.length ?? 0;
    if (length > STATE_CHARS_MAX) {
      const message = `"${name}" is too large to be kept: ${length} characters of JSON, at most ${STATE_CHARS_MAX}`;
      throw new RunFault('STATE_TOO_LARGE', message, { reason: 'task_error', stepId });
    }
    const version = this.#values.get(name)?.version ?? 0;
    const { saveCheckpoint } = this.#ports;
    const answer = await kept(stepId, () => saveCheckpoint(stateName(name), value, version));
    if (!answer.stored) {
      const message = `Another run has changed "state.${name}" in the meantime`;
      throw new RunFault('CONFLICT', message, { reason: 'task_error', stepId, runRetry: true });
    }
    this.#values.set(name, { value, version: answer.version });
  }
}

async function kept<T>(stepId: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (cause instanceof RunFault) throw cause;
    const message = 'The state of the task could not be read or written';
    throw new RunFault('REPORT_FAILED', message, { reason: 'task_error', stepId, runRetry: true, cause });
  }
}
