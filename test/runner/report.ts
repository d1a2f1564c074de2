import { inspect } from 'node:util';
import type { Result } from 'tap-parser';
import type { ProgressBar } from '../../src/commands/kit/progress-bar.ts';
import { addCount, type FileResult, newCount, type TestCount } from './tap-reader.ts';
import type { TestFile } from './test-files.ts';

const SAY_EVERY_MS = 60_000;

/** Prints a line per file, under it what failed, and how long the rest will take: at the bottom of a terminal, else once a minute. */
export class RunReport {
  readonly #files: readonly TestFile[];
  readonly #count = newCount();
  readonly #passed = new Map<string, boolean>();
  readonly #isTerminal = process.stdout.isTTY === true && process.stderr.isTTY === true;
  readonly #bar: ProgressBar;
  readonly #started = new Map<TestFile, number>();
  readonly #ended = new Set<TestFile>();
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout;

  constructor(files: readonly TestFile[], bar: ProgressBar) {
    this.#files = files;
    this.#bar = bar;
    this.#timer = setInterval(() => this.#say(), this.#isTerminal ? 1_000 : SAY_EVERY_MS);
  }

  /** What a process said of a file, or of what it left behind. */
  result({ name, ok, seconds, skipped, count, failures }: FileResult): void {
    addCount(this.#count, count);
    this.#passed.set(name, ok);
    const why = skipped === null ? '' : `: skipped, ${skipped}`;
    this.#print(`${ok ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s)${why}`);
    for (const failure of failures) this.#print(describe(failure));
  }

  started(file: TestFile): void {
    this.#started.set(file, performance.now());
  }

  ended(file: TestFile): void {
    this.#ended.add(file);
  }

  /** What tests write besides their results. */
  noise(text: string): void {
    if (this.#isTerminal) this.#print(text.trimEnd());
    else process.stderr.write(text);
  }

  /** When every process has ended: a file without a result failed. */
  end(broken: ReadonlyMap<string, string>): TestCount {
    clearInterval(this.#timer);
    for (const { path } of this.#files) {
      const reason = broken.get(path);
      if (this.#passed.get(path) === undefined || (reason !== undefined && this.#passed.get(path) === true))
        this.#count.failed++;
      if (!this.#passed.has(path) || reason !== undefined)
        this.#print(`FAILED ${path}: ${reason ?? 'its process said nothing of it'}`);
    }
    this.#bar.stop();
    return this.#count;
  }

  #print(line: string): void {
    if (this.#isTerminal) this.#bar.line(line);
    else console.log(line);
  }

  #say(): void {
    const now = performance.now();
    const doneOf = (file: TestFile) => {
      const ran = (now - (this.#started.get(file) ?? now)) / 1_000;
      return this.#ended.has(file) ? file.seconds : Math.min(ran, file.seconds);
    };
    const all = this.#files.reduce((sum, { seconds }) => sum + seconds, 0);
    const done = this.#files.reduce((sum, file) => sum + doneOf(file), 0);
    const minutes = (now - this.#startedAt) / 60_000;
    const left = done === 0 ? '' : `, ${leftOf((minutes * (all - done)) / done)}`;
    const text = `${this.#ended.size} of ${this.#files.length} files, ${this.#count.failed} failed${left}`;
    if (this.#isTerminal) this.#bar.update(done, all, text);
    else console.log(text);
  }
}

function leftOf(minutes: number): string {
  return minutes < 1 ? 'less than a minute left' : `about ${Math.round(minutes)} min left`;
}

function describe({ fullname, name, diag }: Result): string {
  const lines = [`${fullname || name}`];
  for (const [key, value] of Object.entries((diag ?? {}) as Record<string, unknown>)) {
    if (key === 'source' || key === 'args' || key === 'command') continue;
    const text = typeof value === 'string' ? value.trimEnd() : inspect(value, { depth: 4, breakLength: 120 });
    lines.push(...`${key}: ${text.includes('\n') ? '\n' : ''}${text}`.split('\n').map((line) => `  ${line}`));
  }
  return lines.map((line) => `    ${line}`).join('\n');
}
