import { Parser, type Result } from 'tap-parser';

export interface TestCount {
  passed: number;
  failed: number;
  skipped: number;
  /** Reason to how many tests were skipped for it. */
  readonly reasons: Map<string, number>;
}

/** What a process said of a test file. */
export interface FileResult {
  readonly name: string;
  readonly ok: boolean;
  readonly seconds: number;
  /** Why the whole file was skipped; null where it was not. */
  readonly skipped: string | null;
  readonly count: TestCount;
  readonly failures: readonly Result[];
}

/**
 * Takes a process's TAP as it comes and calls back for each file. A test is a `t.test()` without another inside it, or a file that
 * has none; a test with several wrong assertions failed once. What fails around its tests, such as a teardown or a file that ended early,
 * is a failure too.
 */
export function tapReader(onFile: (file: FileResult) => void): NodeJS.WritableStream {
  const parser = new Parser();
  let failures: Result[] = [];
  const onResult = (result: Result) => {
    const isFailure = !result.ok && skipReason(result) === null;
    if (isFailure && !(result.closingTestPoint && failures.length > 0)) failures.push(result);
  };
  eachAssert(parser, onResult, (result, tests) => {
    const { name, ok, time } = result;
    const file = new Tests();
    file.take(result, tests ?? new Tests().take(result, null));
    const skipped = skipReason(result);
    onFile({ name, ok, seconds: (time ?? 0) / 1_000, skipped, count: file.count, failures });
    failures = [];
  });
  return parser as unknown as NodeJS.WritableStream;
}

export function newCount(): TestCount {
  return { passed: 0, failed: 0, skipped: 0, reasons: new Map() };
}

export function addCount(to: TestCount, { passed, failed, skipped, reasons }: TestCount): void {
  to.passed += passed;
  to.failed += failed;
  to.skipped += skipped;
  for (const [reason, times] of reasons) to.reasons.set(reason, (to.reasons.get(reason) ?? 0) + times);
}

/** One test or file while its results come in: the assertions of its own, and the tests inside it. */
class Tests {
  readonly count = newCount();
  #own = 0;
  #checked = 0;
  #inside = 0;
  #isWrong = false;

  /** An assertion, or with `tests` the end of a test inside this one. */
  take(result: Result, tests: Tests | null): this {
    const reason = skipReason(result);
    if (tests === null) this.#own++;
    else this.#inside++;
    if (reason !== null) {
      this.#skip(reason);
    } else if (tests === null) {
      this.#checked++;
      if (!result.ok) this.#isWrong = true;
    } else {
      tests.#close(result);
      addCount(this.count, tests.count);
    }
    return this;
  }

  #close(result: Result): void {
    const isWrong = this.#isWrong || !result.ok;
    if (isWrong && this.count.failed === 0) this.count.failed++;
    const nothingLeft = this.#own > 0 && this.#checked === 0;
    if (!isWrong && this.#inside === 0 && !nothingLeft) this.count.passed++;
  }

  #skip(reason: string): void {
    this.count.skipped++;
    this.count.reasons.set(reason, (this.count.reasons.get(reason) ?? 0) + 1);
  }
}

/** Each `child` is followed by the assertion that says how it ended. */
function eachAssert(
  parser: Parser,
  onResult: (result: Result) => void,
  call: (result: Result, inside: Tests | null) => void,
): void {
  let inside: Tests | null = null;
  parser.on('child', (child: Parser) => {
    const tests = new Tests();
    inside = tests;
    eachAssert(child, onResult, (result, within) => tests.take(result, within));
  });
  parser.on('assert', (result: Result) => {
    onResult(result);
    call(result, inside);
    inside = null;
  });
}

/** Why it was skipped, or put off as a todo; null where it was not. */
function skipReason({ skip, todo, name }: Result): string | null {
  if (skip === false && todo === false) return null;
  return [skip, todo].find((text) => typeof text === 'string' && text !== '')?.toString() ?? name;
}
