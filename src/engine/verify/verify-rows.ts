import type { Verification } from '../../base/run-report.ts';
import type { Conditions } from '../../drivers/driver.ts';
import type { VerifiedRows, VerifyStep } from '../../language/task/steps/verify/verify-step.ts';
import { type RunState, runScope } from '../run-state.ts';
import { Comparison, type Readings, SIDES } from './comparison.ts';
import { openReading, type ReadRows } from './reading.ts';
import { reloadRows } from './reload-rows.ts';

/** Compares the two sides of a step, and loads what differs again where it says so. */
export async function verifyRows(
  step: VerifyStep,
  run: RunState,
  signal: AbortSignal,
): Promise<Verification> {
  const readings = await openBoth(step, run, signal);
  try {
    const comparison = await Comparison.of(step, run, signal, readings);
    const found = await comparison.compare();
    if (step.onDifference !== 'reload' || found.differing + found.missing === 0) return found;
    const { connector, object } = step.target;
    const into = { connector, object: String(await object?.render(runScope(run))) };
    const reloaded = await reloadRows(step.id, into, run, signal, readings.source, comparison);
    return { ...(await comparison.compare()), reloaded };
  } finally {
    await Promise.all(SIDES.map((side) => readings[side].close()));
  }
}

async function openBoth(step: VerifyStep, run: RunState, signal: AbortSignal): Promise<Readings> {
  const filter = (await step.filter.render(runScope(run))) as Conditions;
  const names = new Map([...step.key, ...(step.columns ?? [])].map(({ left, right }) => [left, right]));
  const named = Object.entries(filter).map(([name, wanted]) => [names.get(name) ?? name, wanted] as const);
  const source = await openReading(await rendered(step.source, run), filter, step.id, run, signal);
  try {
    const target = await openReading(
      await rendered(step.target, run),
      Object.fromEntries(named),
      step.id,
      run,
      signal,
    );
    return { source, target };
  } catch (error) {
    await source.close();
    throw error;
  }
}

async function rendered({ connector, object, method, args }: VerifiedRows, run: RunState): Promise<ReadRows> {
  const scope = runScope(run);
  const whole = object === null ? null : await object.render(scope);
  return { connector, object: whole, method, args: await args.render(scope) };
}
