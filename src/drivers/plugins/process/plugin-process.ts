import { isUtf8 } from 'node:buffer';
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { LineReader } from '../../../base/text/line-reader.ts';
import { ConnectorError } from '../../driver.ts';
import type { Plugin } from '../plugin.ts';
import { groupBytes } from './group-memory.ts';

const MB = 1_048_576;
const LOOK_MS = 250;
export const LINE_BYTES_MAX = 32 * MB;
const SAID_CHARS_MAX = 4_000;
const WORDS_CHARS_MAX = 500;
const CONTINUED_LINES_MAX = 3;
/** From the end of its output until it must have ended. */
const EXIT_MS_MAX = 10_000;
const NOT_STARTED = [126, 127];
const NOT_THERE =
  'cannot be started: there is no such program, or it may not be executed; correct its command in SVC_PLUGINS, or in --plugin of "headgate run"';

/**
 * Becomes the plug-in, beside a watch in the same process group: once the other end of descriptor 3 is gone, however this process
 * ended, the watch removes the folder with the configuration and ends the whole group.
 */
const LAUNCH = `{ read -r _ <&3; rm -rf "$0"; kill -KILL 0; } </dev/null >/dev/null 2>&1 & exec "$@" 3<&-`;

export interface PluginStart {
  readonly plugin: Plugin;
  readonly args: readonly string[];
  /** Of this process, removed with it. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Longest wait for a line; null: it need not write any. */
  readonly silenceMs: number | null;
  /** Of all lines together. Default: any number. */
  readonly outputBytesMax?: number;
  /** Lines of standard error. */
  readonly said?: (line: string) => void;
}

/**
 * One process of a plug-in, and whatever it starts: in a process group and a session of its own, without this process's environment.
 * States: running → ended. It ends by itself, by `close`, by its limits, by its signal, or with this process.
 */
export class PluginProcess {
  readonly #child: ChildProcess;
  readonly #options: PluginStart;
  readonly #exit = Promise.withResolvers<number | null>();
  readonly #look: NodeJS.Timeout;
  #hasExited = false;
  #left: readonly string[] = [];
  #words = '';
  #failure: unknown = null;

  constructor(options: PluginStart) {
    this.#options = options;
    const { plugin, args, folder, signal } = options;
    this.#child = spawn('/bin/sh', ['-c', LAUNCH, folder, ...plugin.command, ...args], {
      cwd: plugin.folder ?? folder,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', HOME: folder, TMPDIR: folder },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    });
    this.#child.on('error', () => {
      this.#fail(this.#problem('CONFIG', NOT_THERE));
      this.#ended(null);
    });
    this.#child.on('exit', (code) => this.#ended(code));
    for (const stream of this.#child.stdio) stream?.on('error', () => undefined);
    this.#followWords();
    this.#look = setInterval(() => this.#watchMemory(), LOOK_MS);
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  /** Its standard input; a plug-in that reads it ends where it ends. */
  get input() {
    return this.#child.stdin;
  }

  /**
   * The lines of its standard output as they come, at the pace of the caller, until it has ended; leaving the loop ends it. Throws a
   * `ConnectorError` for a limit that it broke, and the reason of the signal.
   */
  async *lines(): AsyncGenerator<readonly string[], void, undefined> {
    const { silenceMs, outputBytesMax = Number.POSITIVE_INFINITY } = this.#options;
    const reader = new LineReader(LINE_BYTES_MAX, (line) => this.#textOf(line));
    const chunks = (this.#child.stdout as Readable).iterator({ destroyOnReturn: true });
    let bytes = 0;
    try {
      for (;;) {
        const next = await this.#within(silenceMs, () => chunks.next() as Promise<IteratorResult<Buffer>>);
        if (next.done === true) break;
        bytes += next.value.length;
        if (bytes > outputBytesMax)
          throw this.#problem('TARGET', `wrote more than ${outputBytesMax / MB} MB`);
        yield this.#linesOf(reader, next.value);
      }
      const rest = reader.rest();
      if (rest !== '') yield [rest];
      await this.#within(EXIT_MS_MAX, () => this.#exit.promise);
    } finally {
      this.close();
    }
  }

  /** Resolves when it has ended, with its exit code; null where it was ended. */
  exit(): Promise<number | null> {
    return this.#exit.promise;
  }

  /** What stood in its own folder when it ended, but for hidden entries; that folder is removed. Empty where it works elsewhere. */
  get left(): readonly string[] {
    return this.#left;
  }

  /** How it ended badly, in a sentence. */
  badEnd(code: number | null): ConnectorError {
    if (code !== null && NOT_STARTED.includes(code)) return this.#problem('CONFIG', NOT_THERE);
    const words = lastSentence(this.#words);
    const how = code === null ? 'was ended by a signal' : `ended with exit code ${code}`;
    return this.#problem('TARGET', `${how}${words === '' ? '' : `: ${words}`}`);
  }

  /** Ends it, with all that it has started. */
  close(): void {
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    clearInterval(this.#look);
    if (!this.#hasExited && this.#child.pid !== undefined) killGroup(this.#child.pid);
    this.#child.stdio[3]?.destroy();
    this.#child.stdout?.destroy();
  }

  readonly #onAbort = (): void => this.#fail(this.#options.signal.reason);

  #ended(code: number | null): void {
    this.#hasExited = true;
    clearInterval(this.#look);
    if (this.#options.plugin.folder === null) this.#left = entriesOf(this.#options.folder);
    // The watch ends what it has left behind.
    this.#child.stdio[3]?.destroy();
    this.#exit.resolve(code);
  }

  /** The first failure counts. */
  #fail(failure: unknown): void {
    this.#failure ??= failure;
    this.close();
  }

  async #within<T>(ms: number | null, wait: () => Promise<T>): Promise<T> {
    const late = ms === null ? undefined : setTimeout(() => this.#fail(this.#silent(ms)), ms);
    try {
      const value = await wait();
      if (this.#failure !== null) throw this.#failure;
      return value;
    } catch (error) {
      throw this.#failure ?? error;
    } finally {
      clearTimeout(late);
    }
  }

  #silent(ms: number): ConnectorError {
    return this.#problem('UNAVAILABLE', `has written nothing for ${ms / 1_000} s`);
  }

  #linesOf(reader: LineReader, chunk: Buffer): readonly string[] {
    try {
      return reader.push(chunk);
    } catch (error) {
      if (error instanceof ConnectorError) throw error;
      throw this.#problem('TARGET', `wrote a line of more than ${LINE_BYTES_MAX / MB} MB`);
    }
  }

  /** A line of a log may be in any encoding; a message is in UTF-8. */
  #textOf(line: Buffer): string {
    const text = line.toString();
    if (isUtf8(line) || !text.trimStart().startsWith('{')) return text;
    throw this.#problem(
      'TARGET',
      `wrote a message with bytes that are not UTF-8: ${text.slice(0, WORDS_CHARS_MAX)}`,
    );
  }

  #problem(fault: ConnectorError['fault'], what: string): ConnectorError {
    return new ConnectorError(fault, `The plug-in "${this.#options.plugin.name}" ${what}`);
  }

  #watchMemory(): void {
    const { memoryMb } = this.#options.plugin;
    if (this.#child.pid === undefined || groupBytes(this.#child.pid) <= memoryMb * MB) return;
    this.#fail(
      this.#problem('TARGET', `needs more than ${memoryMb} MB of memory: see "memory_mb" of SVC_PLUGINS`),
    );
  }

  #followWords(): void {
    let rest = '';
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#words = (this.#words + text).slice(-SAID_CHARS_MAX);
      const lines = (rest + text).split('\n');
      rest = (lines.pop() ?? '').slice(-SAID_CHARS_MAX);
      for (const line of lines) if (line.trim() !== '') this.#options.said?.(line);
    });
  }
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch {
    return [];
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}

/** The last line, with the one that it continues where it is indented: "… port 1 failed: refused" before "Is the server running?". */
function lastSentence(words: string): string {
  const lines = words.trimEnd().split('\n');
  const from = lines.findLastIndex((line) => /^\S/.test(line));
  const sentence =
    lines.length - from > CONTINUED_LINES_MAX ? lines.slice(-1) : lines.slice(Math.max(from, 0));
  return sentence
    .map((line) => line.trim())
    .join(' ')
    .slice(0, WORDS_CHARS_MAX);
}
