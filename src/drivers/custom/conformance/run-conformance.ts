import { messageOf } from '../../../base/errors.ts';
import type { DriverSample } from '../interface.ts';
import { type Check, type CheckResult, connected, rowsOf, type Subject } from './check.ts';
import { CURSORS } from './cursors.ts';
import { DESCRIBING } from './describing.ts';
import { READING } from './reading.ts';
import { writingChecks } from './writing.ts';

const CHECK_MS_MAX = 30_000;
const STRAY_EVENTS = ['unhandledRejection', 'uncaughtException'] as const;

export interface ConformanceOptions {
  /** Told after each check. */
  readonly checked?: (result: CheckResult) => void;
  /** Longest time of a check in milliseconds, default 30,000. */
  readonly checkMsMax?: number;
}

/** No method has it. */
const NOTHING = { method: 'no_such_method', args: {} };

const CLOSE: Check = {
  name: 'close: a connection that did nothing can be closed, and so can one after a failed read',
  run: async (subject) => {
    await connected(subject, async () => undefined);
    await connected(subject, (connection) =>
      rowsOf(connection, { method: 'no_such_method', args: {} }).catch(() => undefined),
    );
    return null;
  },
};

/**
 * Holds a driver against the interface, with everything that it declares. Never rejects: what is wrong is in the results, as are errors
 * that it left to the process.
 */
export async function runConformance(
  { driver, sample, context }: Omit<Subject, 'sample'> & { readonly sample: DriverSample },
  { checked, checkMsMax = CHECK_MS_MAX }: ConformanceOptions = {},
): Promise<CheckResult[]> {
  const subject = { driver, context, sample: { ...sample, read: sample.read ?? NOTHING } };
  const isRead = sample.read !== undefined || driver.methods.some(({ kind }) => kind === 'rows');
  const reading = isRead ? [...READING, ...CURSORS] : [];
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown) => void unhandled.push(reason);
  for (const event of STRAY_EVENTS) process.on(event, onUnhandled);
  const results: CheckResult[] = [];
  const add = (result: CheckResult) => {
    results.push(result);
    checked?.(result);
  };
  try {
    for (const check of [...DESCRIBING, ...reading, ...writingChecks(subject), CLOSE])
      add(await resultOf(check, subject, checkMsMax));
    // Node tells of them once the queue of promises is empty.
    await new Promise((resolve) => setImmediate(resolve));
    const [reason] = unhandled;
    const name = 'no error is left to the process: a rejection that nobody waits for, or an event';
    const message =
      unhandled.length === 0 ? '' : `${unhandled.length}, the first of them: ${messageOf(reason)}`;
    add({ name, status: message === '' ? 'passed' : 'failed', message });
  } finally {
    for (const event of STRAY_EVENTS) process.off(event, onUnhandled);
  }
  return results;
}

async function resultOf({ name, run }: Check, subject: Subject, msMax: number): Promise<CheckResult> {
  let late: NodeJS.Timeout | undefined;
  try {
    const tooLate = new Promise<never>((_, reject) => {
      late = setTimeout(() => reject(new Error(`It did not end within ${msMax / 1_000} s`)), msMax);
    });
    const skipped = await Promise.race([run(subject), tooLate]);
    return skipped === null
      ? { name, status: 'passed', message: '' }
      : { name, status: 'skipped', message: skipped };
  } catch (error) {
    return { name, status: 'failed', message: messageOf(error) };
  } finally {
    clearTimeout(late);
  }
}
