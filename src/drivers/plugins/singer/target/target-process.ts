import { once } from 'node:events';
import { isRecord } from '../../../../base/json.ts';
import { ConnectorError } from '../../../driver.ts';
import type { PluginProcess } from '../../process/plugin-process.ts';
import type { PluginExchange, PluginProgram } from '../../process/plugin-program.ts';
import type { SourceLog } from '../../source-state.ts';

const CONFIG_FILE = 'config.json';

export interface TargetStart {
  readonly program: PluginProgram;
  readonly signal: AbortSignal;
  readonly log: SourceLog | undefined;
  /** Longest wait for it to take a line, and to end after the last. */
  readonly patienceMs: number;
  /** Takes each state that it acknowledges. */
  readonly onState: (state: Record<string, unknown>) => void;
}

/**
 * One process of a target. States: open → ended. It ends by `finish`, by `close`, by itself, which is a failure before `finish`, or with
 * its signal.
 */
export class TargetProcess {
  readonly #start: TargetStart;
  readonly #closing = new AbortController();
  readonly #process: Promise<PluginProcess>;
  /** Once it has ended; rejects where that was no good end. */
  readonly #ended: Promise<void>;

  constructor(start: TargetStart) {
    this.#start = start;
    const started = Promise.withResolvers<PluginProcess>();
    this.#process = started.promise;
    this.#ended = this.#follow(started.resolve);
    this.#ended.catch(started.reject);
    // Whoever waits for it next meets the failure.
    this.#process.catch(() => undefined);
  }

  /** Gives it lines, at its pace. Throws how it ended, where it has. */
  async write(text: string): Promise<void> {
    const { input } = await this.#process;
    if (input === null || input.destroyed) return this.#requireOpen();
    if (input.write(text)) return;
    const gone = this.#requireOpen();
    gone.catch(() => undefined);
    // What breaks the pipe is how it ended.
    const drained = once(input, 'drain', { signal: this.#closing.signal }).then(
      () => undefined,
      () => gone,
    );
    await this.#within(Promise.race([drained, gone]), 'has taken no row');
  }

  /** No more lines: waits until it has ended well. */
  async finish(): Promise<void> {
    (await this.#process).input?.end();
    await this.#within(this.#ended, 'has not ended');
  }

  /** Ends it, with all that it has started. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#ended.catch(() => undefined);
  }

  async #follow(started: (process: PluginProcess) => void): Promise<void> {
    const { program, signal, log, onState } = this.#start;
    const call = {
      args: [],
      files: { config: program.filled() },
      signal: AbortSignal.any([signal, this.#closing.signal]),
      log,
      isReader: true,
    };
    const exchange = async function* ({ process, log: tell }: PluginExchange) {
      started(process);
      for await (const lines of process.lines()) {
        for (const line of lines) {
          const state = stateIn(line);
          if (state !== null) onState(state);
          else if (line.trim() !== '') tell('INFO', line);
        }
        yield;
      }
      const code = await process.exit();
      if (code !== 0) throw process.badEnd(code);
      warnOfLost(program, process.left, log);
    };
    for await (const _ of program.with(call, exchange));
  }

  async #requireOpen(): Promise<never> {
    await this.#ended;
    throw this.#problem('TARGET', 'ended before it had taken all rows');
  }

  async #within<T>(work: Promise<T>, what: string): Promise<T> {
    const { patienceMs } = this.#start;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      late.reject(this.#problem('UNAVAILABLE', `${what} for ${patienceMs / 1_000} s`));
      this.#closing.abort();
    }, patienceMs);
    try {
      return await Promise.race([work, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  #problem(fault: ConnectorError['fault'], what: string): ConnectorError {
    return new ConnectorError(fault, `The target "${this.#start.program.name}" ${what}`);
  }
}

/** A relative path of its configuration starts at the folder that is removed with it: rows that it wrote there are gone. */
function warnOfLost(program: PluginProgram, left: readonly string[], log: SourceLog | undefined): void {
  const [first] = left.filter((name) => name !== CONFIG_FILE);
  if (first === undefined) return;
  const text = `The target "${program.name}" left "${first}" in its working folder, which is removed with it: to keep what it writes there, put an absolute path into its configuration`;
  log?.('warn', program.clean(text));
}

/** A target writes a state that it has acknowledged as JSON in a line; null for anything else. */
function stateIn(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{')) return null;
  try {
    const state: unknown = JSON.parse(line);
    return isRecord(state) ? state : null;
  } catch {
    return null;
  }
}
