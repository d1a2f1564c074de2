import { inspect } from 'node:util';
import type { Result } from 'tap-parser';
import type { ProgressBar } from '../../src/commands/kit/progress-bar.ts';
import { addCount, type FileResult, newCount, type TestCount } from './tap-reader.ts';
import type { TestFile } from './test-files.ts';

const SAY_EVERY_MS = 60_000;

/** Prints a line per file, under it what failed, and how long the rest will take: at the bottom of a terminal, else once a minute. */
export class RunReport {
  readonly #files: readonly TestFile[];
  /** By file: what its process said of its tests, and of what it left behind. */
  readonly #results = new Map<string, FileResult[]>();
  /** Of files in whose middle their process ended. */
  readonly #broken = new Map<string, string>();
  readonly #retried = new Set<TestFile>();
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
  result(result: FileResult): void {
    const { name, ok, seconds, skipped, failures } = result;
    const [path = name] = name.split(' leaves behind: ');
    this.#results.set(path, [...(this.#results.get(path) ?? []), result]);
    const why = skipped === null ? '' : `: skipped, ${skipped}`;
    this.#print(`${ok ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s)${why}`);
    for (const failure of failures) this.#print(describe(failure));
  }

  started(file: TestFile): void {
    this.#started.set(file, performance.now());
  }

  /** With the reason where its process ended in the middle of it, null otherwise. */
  ended(file: TestFile, broken: string | null): void {
    this.#ended.add(file);
    if (broken !== null) this.#broken.set(file.path, broken);
  }

  /** Call it when every process has ended. */
  failedFiles(): TestFile[] {
    return this.#files.filter(({ path }) => this.#failed(path) > 0);
  }

  /** Forgets what became of a file, since it runs again: only its second result counts. */
  retry(file: TestFile): void {
    this.#sayWhereBroken(file.path);
    this.#print(`Again, alone: ${file.path}`);
    this.#retried.add(file);
    this.#results.delete(file.path);
    this.#broken.delete(file.path);
  }

  /** What tests write besides their results. */
  noise(text: string): void {
    if (this.#isTerminal) this.#print(text.trimEnd());
    else process.stderr.write(text);
  }

  /** When every process has ended. */
  end(): TestCount {
    clearInterval(this.#timer);
    const count = newCount();
    for (const { path } of this.#files) {
      this.#sayWhereBroken(path);
      for (const result of this.#results.get(path) ?? []) addCount(count, result.count);
      if (this.#hasUntoldFailure(path)) count.failed++;
    }
    const late = [...this.#retried].map(({ path }) => path).filter((path) => this.#failed(path) === 0);
    if (late.length > 0) this.#print(`Passed only when run again, alone: ${late.join(', ')}`);
    this.#bar.stop();
    return count;
  }

  #sayWhereBroken(path: string): void {
    const reason = this.#broken.get(path);
    if (reason !== undefined || !this.#results.has(path))
      this.#print(`FAILED ${path}: ${reason ?? 'its process said nothing of it'}`);
  }

  #failed(path: string): number {
    const told = (this.#results.get(path) ?? []).reduce((sum, { count }) => sum + count.failed, 0);
    return told + (this.#hasUntoldFailure(path) ? 1 : 0);
  }

  /** Whether the process of the file broke, or said nothing of it, and no result says that it failed. */
  #hasUntoldFailure(path: string): boolean {
    const results = this.#results.get(path) ?? [];
    return results.length === 0 || (this.#broken.has(path) && results.every(({ ok }) => ok));
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
    const failed = [...this.#results.values()].flat().reduce((sum, { count }) => sum + count.failed, 0);
    const text = `${this.#ended.size} of ${this.#files.length} files, ${failed} failed${left}`;
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
