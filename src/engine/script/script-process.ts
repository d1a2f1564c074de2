import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { sleep } from '../../base/clock.ts';
import { endWithin } from '../../base/process/child-process.ts';
import { entryFile, programFile } from '../../base/program-files.ts';
import { LineReader } from '../../base/text/line-reader.ts';
import type { Row } from '../../drivers/driver.ts';
import { NO_GRANTS, type ScriptAccess } from '../../language/task/steps/script/script-access.ts';
import { codeLine, type ScriptLanguage } from '../../language/task/steps/script/script-check.ts';
import { lineOf, lineOfRows, messageOfLine, rowsOf, type WrittenRows } from './script-lines.ts';
import { ScriptOutput } from './script-output.ts';

/** Of the heap alone; buffers and the program come on top. */
const HEAP_SHARE = 0.75;
const LOOK_MS = 100;
const FINISH_MS_MAX = 5_000;
const PAGE_BYTES = 4_096;
const MB = 1_048_576;
/** Of what one batch has become. */
const ANSWER_BYTES_MAX = 64 * MB;
/** From the start of the process until its code is loaded, with the packages that it imports. */
const START_MS_MAX = 60_000;
/** What it wrote last may be on its way when it ends; what it started may keep the way open. */
const TELL_MS_MAX = 500;

export interface ScriptStart {
  readonly language: ScriptLanguage;
  readonly code: string;
  /** The file that the code is of, for messages; null where it stands in the document. */
  readonly file: string | null;
  readonly function: string | null;
  readonly args: Readonly<Record<string, unknown>>;
  readonly itemTimeoutMs: number;
  readonly access: ScriptAccess;
  /** The program that runs Python; null for another language. */
  readonly python: string | null;
  /** The folder with the packages of JavaScript; null for none. */
  readonly packages: string | null;
  /** A line that the script has printed. */
  readonly printed: (level: 'info' | 'warn', line: string) => void;
}

/** What a batch has become. */
export interface ScriptAnswer {
  readonly out: Row[];
  /** How many rows each of the batch has become; null where each is one. */
  readonly counts: readonly number[] | null;
  /** Place in the batch, message, and line of the code. */
  readonly errors: readonly (readonly [number, string, number | null])[];
}

/** Why a process of a script is of no more use; the message is for people. */
export class ScriptEnd extends Error {
  override readonly name = 'ScriptEnd';
}

interface Waiting {
  readonly first: number;
  readonly resolve: (answer: ScriptAnswer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The process that runs the code of one step. Modes: starting → ready → ended. Batches are answered in their order. When it dies,
 * takes too long over an item or too much memory, everything that waits is rejected with a `ScriptEnd`. It dies with this process.
 */
export class ScriptProcess {
  readonly #child: ChildProcess;
  readonly #options: ScriptStart;
  readonly #lines = new LineReader(ANSWER_BYTES_MAX);
  readonly #ready = Promise.withResolvers<void>();
  readonly #waiting: Waiting[] = [];
  readonly #output: ScriptOutput;
  readonly #look: NodeJS.Timeout;
  #timer: NodeJS.Timeout | undefined;
  #at = 0;
  #end: ScriptEnd | null = null;

  private constructor(options: ScriptStart) {
    this.#options = options;
    this.#child = spawnChild(options);
    const [, stdout, stderr, rows, answers] = this.#child.stdio as unknown as readonly (Readable &
      Writable)[];
    this.#output = new ScriptOutput([stdout as Readable, stderr as Readable], options.printed);
    this.#ready.promise.catch(() => undefined);
    this.#child.on('error', (error) =>
      this.#fail(`The script process could not be started: ${error.message}`),
    );
    this.#child.on('exit', async (code, signal) => {
      await Promise.race([this.#output.isTold, sleep(TELL_MS_MAX)]);
      this.#onExit(code, signal);
    });
    rows?.on('error', () => undefined);
    answers?.on('data', (chunk: Buffer) => this.#onData(chunk)).on('error', () => undefined);
    this.#look = setInterval(() => this.#watchMemory(), LOOK_MS);
    this.#timer = setTimeout(() => this.#fail('The script did not start in time'), START_MS_MAX);
  }

  /** Starts the process and loads the code. Rejects with a `ScriptEnd` that says what is wrong with it. */
  static async start(options: ScriptStart): Promise<ScriptProcess> {
    const started = new ScriptProcess(options);
    const { language, code, function: name, args, packages } = options;
    const grants = options.access.grants ?? NO_GRANTS;
    const modules = {
      packages,
      files: grants.read.length + grants.write.length > 0,
      network: grants.network,
    };
    started.#write({ language, code, function: name, args, modules, grants });
    await started.#ready.promise;
    return started;
  }

  /** Batches that it has and has not answered. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** What the function makes of the rows; `first` is the place of the first among all. */
  call(rows: readonly Row[], first: number): Promise<ScriptAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#end !== null) return reject(this.#end);
      this.#waiting.push({ first, resolve, reject });
      if (this.#waiting.length === 1) this.#expect(0);
      // Python reads rows as they are.
      const line = this.#options.python === null ? lineOfRows(rows, { first }) : lineOf({ rows, first });
      this.#writeLine(line);
    });
  }

  /** Lets the process end by itself, with what it still has to print, but no longer than a grace. */
  async finish(): Promise<void> {
    if (this.#end === null) {
      this.#end = new ScriptEnd('The script has ended');
      clearTimeout(this.#timer);
      const gone = new Promise<void>((resolve) => this.#child.once('close', () => resolve()));
      await endWithin(FINISH_MS_MAX, {
        gone,
        ask: () => (this.#child.stdio[3] as Writable).end(),
        kill: () => kill(this.#child),
      });
      clearInterval(this.#look);
    }
    kill(this.#child);
  }

  /** Ends the process at once, with whatever it has started. */
  close(): void {
    this.#fail('The script was stopped');
  }

  #write(message: object): void {
    this.#writeLine(lineOf(message));
  }

  #writeLine(line: string): void {
    (this.#child.stdio[3] as Writable).write(line);
  }

  /** The time of an item begins: of the one at this place in the batch that is being worked on. */
  #expect(at: number): void {
    clearTimeout(this.#timer);
    this.#at = at;
    if (this.#waiting.length === 0) return;
    this.#timer = setTimeout(() => this.#fail(this.#lateText()), this.#options.itemTimeoutMs);
  }

  #lateText(): string {
    const item = (this.#waiting[0]?.first ?? 0) + this.#at + 1;
    return `The script took longer than ${this.#options.itemTimeoutMs / 1_000} s for an item (number ${item} or one shortly after it): see "item_timeout"`;
  }

  #onData(chunk: Buffer): void {
    if (this.#end !== null) return;
    try {
      for (const line of this.#lines.push(chunk)) this.#onMessage(messageOfLine(line) as ScriptMessage);
    } catch (error) {
      const tooLong = error instanceof RangeError;
      this.#fail(
        tooLong
          ? `The script produced more than ${ANSWER_BYTES_MAX / MB} MB for one batch: see "batch"`
          : 'The script process wrote output that cannot be read',
      );
    }
  }

  #onMessage(message: ScriptMessage): void {
    if ('ready' in message) {
      clearTimeout(this.#timer);
      this.#ready.resolve();
    } else if ('at' in message) this.#expect(message.at);
    else if ('fault' in message) {
      const { message: words, line } = message.fault;
      this.#fail(`The code cannot be loaded: ${words}${codeLine(line, this.#options.file)}`);
    } else {
      const { counts, errors } = message;
      this.#waiting.shift()?.resolve({ out: rowsOf(message), counts, errors });
      this.#expect(0);
    }
  }

  #onExit(code: number | null, signal: string | null): void {
    const said = this.#output.lastWords();
    const how = code === null ? `signal ${signal}` : `exit code ${code}`;
    const ended = `The process of the script ended by itself (${how})${said === '' ? '' : `: ${said}`}`;
    this.#fail(this.#output.ranOutOfMemory ? this.#memoryText() : ended);
  }

  #memoryText(): string {
    return `The script needs more than ${this.#options.access.memoryMb} MB of memory: see SVC_SCRIPT_MEMORY_MB`;
  }

  #watchMemory(): void {
    if (residentBytes(this.#child.pid) > this.#options.access.memoryMb * MB) this.#fail(this.#memoryText());
  }

  /** The first reason counts. */
  #fail(reason: string): void {
    if (this.#end !== null) return;
    this.#end = new ScriptEnd(reason);
    clearTimeout(this.#timer);
    clearInterval(this.#look);
    kill(this.#child);
    this.#ready.reject(this.#end);
    for (const { reject } of this.#waiting.splice(0)) reject(this.#end);
  }
}

type ScriptMessage =
  | { readonly ready: true }
  | { readonly at: number }
  | { readonly fault: { readonly message: string; readonly line: number | null } }
  | (WrittenRows & Omit<ScriptAnswer, 'out'>);

/** In a process group of its own, without this process's environment and working folder. */
function spawnChild({ python, access, packages }: ScriptStart): ChildProcess {
  const [program, ...args] = python === null ? nodeCommand(access, packages) : pythonCommand(python);
  return spawn(program as string, args, {
    cwd: '/',
    env: { LANG: 'C.UTF-8' },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
}

function nodeCommand(
  { memoryMb, grants = NO_GRANTS }: ScriptAccess,
  packages: string | null,
): readonly string[] {
  const readable = [...grants.read, ...(packages === null ? [] : [packages])];
  return [
    process.execPath,
    '--permission',
    '--allow-worker',
    `--allow-fs-read=${programFile('src')}/*`,
    `--allow-fs-read=${programFile('package.json')}`,
    ...readable.map((folder) => `--allow-fs-read=${folder}/*`),
    ...grants.write.map((folder) => `--allow-fs-write=${folder}/*`),
    `--max-old-space-size=${Math.round(memoryMb * HEAP_SHARE)}`,
    '--no-warnings',
    '--disallow-code-generation-from-strings',
    entryFile('src/engine/script/script-child'),
  ];
}

/** `-I`: neither the environment nor the folder of the caller; `-c`: the program as an argument, so that it reads no file of ours. */
function pythonCommand(python: string): readonly string[] {
  return [
    python,
    '-I',
    '-B',
    '-u',
    '-c',
    readFileSync(programFile('src/engine/script/script_child.py'), 'utf8'),
  ];
}

function kill({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}

/** 0 where the system does not tell. */
function residentBytes(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * PAGE_BYTES;
  } catch {
    return 0;
  }
}
