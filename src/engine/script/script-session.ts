import type { Batch, OriginOf, Row } from '../../drivers/driver.ts';
import { NO_GRANTS, type ScriptAccess } from '../../language/task/steps/script/script-access.ts';
import type { ScriptStep } from '../../language/task/steps/script/script-step.ts';
import type { Flow } from '../pipeline/flow.ts';
import { RunFault } from '../run-fault.ts';
import type { RunState } from '../run-state.ts';
import { ScriptColumns } from './script-columns.ts';
import { EnvironmentProblem, pythonOfEnvironment } from './script-environment.ts';
import { ScriptError } from './script-error.ts';
import { folderOfPackages } from './script-packages.ts';
import { type ScriptAnswer, ScriptEnd, ScriptProcess, type ScriptStart } from './script-process.ts';

/** Called with a row that the script could not take, its place in the batch, and why; throwing ends the step. */
export type OnScriptError = (row: Row, error: ScriptError, index: number) => void;

/** The script of one step, and what has become of the rows so far. Its processes end with `close`. */
export class ScriptSession {
  /** Rows that have become none. */
  filtered = 0;
  readonly #processes: readonly ScriptProcess[];
  readonly #columns = new ScriptColumns();
  readonly #origins: RunState['origins'];
  readonly #file: string | null;
  #first = 0;

  private constructor(
    processes: readonly ScriptProcess[],
    origins: RunState['origins'],
    file: string | null,
  ) {
    this.#processes = processes;
    this.#origins = origins;
    this.#file = file;
  }

  /** Throws a `RunFault` where scripts may not run here, or the code cannot be loaded. */
  static async open(step: ScriptStep, run: RunState, scope: Flow['scope']): Promise<ScriptSession> {
    const { scripts: access } = run.context.connectContext;
    if (access === undefined) throw refused(step.id, 'Scripts are disabled here: see SVC_SCRIPTS');
    if (step.language === 'python' && access.python === null)
      throw refused(step.id, 'Python for scripts is not configured here: see SVC_SCRIPT_PYTHON');
    requireOwnFilesClosed(step.id, run);
    const args: Record<string, unknown> = {};
    for (const [name, template] of Object.entries(step.args)) args[name] = await template.render(scope);
    const { language, code, file, function: name, item_timeout: itemTimeoutMs } = step;
    const printed = (level: 'info' | 'warn', line: string) => run.ports.log(level, step.id, line);
    try {
      const { python, packages } = await pinned(step, access, run.signal);
      const start = { language, code, file, function: name, args, itemTimeoutMs };
      const options = { ...start, access, python, packages, printed };
      return new ScriptSession(await startAll(options, step.concurrency), run.origins, file);
    } catch (error) {
      throw scriptFault(error, step.id);
    }
  }

  /** Hands a batch to the process with the fewest; `settle` makes rows of the answer, in the order of the calls. */
  call({ rows }: Batch): Promise<ScriptAnswer> {
    const process = this.#processes.reduce((least, one) => (one.waiting < least.waiting ? one : least));
    const answer = process.call(rows, this.#first);
    this.#first += rows.length;
    return answer;
  }

  /** The rows that a batch has become. */
  settle(batch: Batch, answer: ScriptAnswer, onError: OnScriptError): Batch {
    const { out, counts, errors } = answer;
    for (const [at, message, line] of errors)
      onError(batch.rows[at] as Row, new ScriptError(message, line, this.#file), at);
    const none = counts === null ? 0 : counts.filter((count) => count === 0).length;
    this.filtered += none - errors.length;
    const sources = counts?.flatMap((count, at) => Array<number>(count).fill(at)) ?? null;
    const sourceOf = (index: number) => sources?.[index] ?? index;
    if (this.#origins !== null) this.#inherit(batch, out, sourceOf);
    const columns = this.#columns.settle(out, batch.columns);
    return { columns, rows: out, originOf: originsBy(batch.originOf, sourceOf) };
  }

  /** Ends the script with what it still has to print. */
  async finish(): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.finish()));
  }

  /** Ends it at once. */
  close(): void {
    for (const process of this.#processes) process.close();
  }

  /** What a row has become comes from the same dead letter. */
  #inherit({ rows }: Batch, out: readonly Row[], sourceOf: (index: number) => number): void {
    for (const [index, row] of out.entries()) {
      const letterId = this.#origins?.get(rows[sourceOf(index)] as Row);
      if (letterId !== undefined) this.#origins?.set(row, letterId);
    }
  }
}

/** So many processes with the same code; none where one of them cannot load it. */
async function startAll(options: ScriptStart, count: number): Promise<readonly ScriptProcess[]> {
  const starting = await Promise.allSettled(
    Array.from({ length: count }, () => ScriptProcess.start(options)),
  );
  const started = starting.filter((one) => one.status === 'fulfilled').map(({ value }) => value);
  const failed = starting.find((one) => one.status === 'rejected');
  if (failed === undefined) return started;
  for (const process of started) process.close();
  throw failed.reason;
}

function originsBy(
  originOf: OriginOf | undefined,
  sourceOf: (index: number) => number,
): OriginOf | undefined {
  return originOf && ((index) => originOf(sourceOf(index)));
}

/** What the code runs with: its Python, or the folder of its packages, as its lock says. */
async function pinned(
  { language, dependencies, packages, lock }: ScriptStep,
  { python, uv, packages: folders }: ScriptAccess,
  signal: AbortSignal,
): Promise<{ readonly python: string | null; readonly packages: string | null }> {
  if (language !== 'python')
    return {
      python: null,
      packages: packages === null ? null : await folderOfPackages(packages, lock ?? '', folders),
    };
  if (dependencies === null) return { python, packages: null };
  if (uv === null || uv === undefined)
    throw new EnvironmentProblem('Installing script dependencies is not configured here: see SVC_SCRIPT_UV');
  const request = { python: python ?? '', uv, lock: lock ?? '', signal };
  return { python: await pythonOfEnvironment(request), packages: null };
}

/** No folder that is open to scripts holds files of the server. */
function requireOwnFilesClosed(stepId: string, { context }: RunState): void {
  const { scripts, forbiddenFiles } = context.connectContext;
  const { read, write } = scripts?.grants ?? NO_GRANTS;
  const holds = (folder: string) =>
    forbiddenFiles.some((file) => file === folder || file.startsWith(folder.replace(/\/*$/, '/')));
  if ([...read, ...write].some(holds))
    throw refused(
      stepId,
      'A folder open to scripts contains files of the server: see SVC_SCRIPT_READ and SVC_SCRIPT_WRITE',
    );
}

function refused(stepId: string, message: string): RunFault {
  return new RunFault('SCRIPT_REFUSED', message, { reason: 'config_error', stepId });
}

/** The end of a script's process as the end of its step. */
export function scriptFault(error: unknown, stepId: string): unknown {
  if (error instanceof EnvironmentProblem) return refused(stepId, error.message);
  if (!(error instanceof ScriptEnd)) return error;
  return new RunFault('SCRIPT_ERROR', error.message, { reason: 'task_error', stepId, cause: error });
}
