import type { Readable } from 'node:stream';

const LINES_MAX = 1_000;
const LINE_CHARS_MAX = 4_000;
/** With the native stack that follows a fatal error. */
const WORDS_CHARS_MAX = 8_000;
const OUT_OF_MEMORY = /^(?:FATAL ERROR: .*heap out of memory|MemoryError\b)/m;

/** What the engine of JavaScript writes when it dies: figures and a stack with paths of the server, of which one line says why. */
const DEATH = /^(?:<--- Last few GCs --->|FATAL ERROR: |# Fatal (?:error|process))/;
const WHY = /^FATAL ERROR: /;

type Printed = (level: 'info' | 'warn', line: string) => void;

/** What a script prints: its lines for the log of the run, up to a number, and the end of what it wrote to standard error. */
export class ScriptOutput {
  /** All of standard error has come. */
  readonly isTold: Promise<void>;
  readonly #printed: Printed;
  #last = '';

  constructor([stdout, stderr]: readonly [Readable, Readable], printed: Printed) {
    this.#printed = printed;
    this.isTold = new Promise((resolve) => stderr.once('close', () => resolve()));
    this.#follow(stdout, 'info');
    this.#follow(stderr, 'warn');
  }

  /** The last line of standard error that says something. */
  lastWords(): string {
    return this.#last.trim().split('\n').at(-1)?.trim() ?? '';
  }

  /** Whether it ended since its memory did not suffice. */
  get ranOutOfMemory(): boolean {
    return OUT_OF_MEMORY.test(this.#last);
  }

  /** Each stream has its own lines, so that errors are shown whatever else is printed. */
  #follow(stream: Readable, level: 'info' | 'warn'): void {
    let rest = '';
    let count = 0;
    let isDying = false;
    const print = (line: string) => {
      isDying ||= level === 'warn' && DEATH.test(line);
      if (isDying && !WHY.test(line)) return;
      count += 1;
      if (count <= LINES_MAX) this.#printed(level, line.slice(0, LINE_CHARS_MAX));
      else if (count === LINES_MAX + 1)
        this.#printed('warn', `The script printed ${LINES_MAX} lines: further output is not shown`);
    };
    stream.setEncoding('utf8').on('data', (text: string) => {
      if (level === 'warn') this.#last = (this.#last + text).slice(-WORDS_CHARS_MAX);
      // Once no more is shown, what comes is read and forgotten.
      if (count > LINES_MAX) return;
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) print(line);
      if (rest.length <= LINE_CHARS_MAX) return;
      print(rest);
      rest = '';
    });
    stream.on('end', () => rest !== '' && print(rest));
  }
}
