import { type EventLog, Parser, type Result } from 'tap-parser';

export interface TestCount {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Reason to how many tests were skipped for it. */
  readonly reasons: Map<string, number>;
}

/** One test or file: the assertions of its own and the tests inside it. */
interface Tests {
  /** How it ended, as its parent says; null for the whole run. */
  readonly result: Result | null;
  readonly own: readonly Result[];
  readonly inside: readonly Tests[];
}

/**
 * Counts the tests of a run's TAP. A test is a `t.test()` without another inside it, or a file that has none; a test with several
 * wrong assertions failed once. What fails around its tests, such as a teardown or a file that ended early, is a failure too.
 */
export function countTests(tap: string): TestCount {
  const reasons = new Map<string, number>();
  const total = { passed: 0, failed: 0, skipped: 0 };
  count(testsOf(Parser.parse(tap), null), total, reasons);
  return { ...total, reasons };
}

type Total = { passed: number; failed: number; skipped: number };

function count(tests: Tests, total: Total, reasons: Map<string, number>): void {
  if (tests.result !== null && skipReason(tests.result) !== null) {
    skip(tests.result, total, reasons);
    return;
  }
  const failedBefore = total.failed;
  const checked = tests.own.filter((result) => skipReason(result) === null);
  for (const result of tests.own) if (!checked.includes(result)) skip(result, total, reasons);
  for (const inner of tests.inside) count(inner, total, reasons);
  const wrong = checked.some(({ ok }) => !ok) || tests.result?.ok === false;
  if (wrong && total.failed === failedBefore) total.failed++;
  const nothingLeft = tests.own.length > 0 && checked.length === 0;
  if (!wrong && tests.result !== null && tests.inside.length === 0 && !nothingLeft) total.passed++;
}

function skip(result: Result, total: Total, reasons: Map<string, number>): void {
  const reason = skipReason(result) ?? '';
  total.skipped++;
  reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
}

/** Why it was skipped, or put off as a todo; null where it was not. */
function skipReason({ skip, todo, name }: Result): string | null {
  if (skip === false && todo === false) return null;
  return [skip, todo].find((text) => typeof text === 'string' && text !== '')?.toString() ?? name;
}

/** Each `child` is followed by the assertion that says how it ended. */
function testsOf(log: EventLog, result: Result | null): Tests {
  const own: Result[] = [];
  const inside: Tests[] = [];
  let child: EventLog | null = null;
  for (const [kind, value] of log) {
    if (kind === 'child') child = value as EventLog;
    if (kind !== 'assert') continue;
    if (child === null) own.push(value as Result);
    else inside.push(testsOf(child, value as Result));
    child = null;
  }
  return { result, own, inside };
}
