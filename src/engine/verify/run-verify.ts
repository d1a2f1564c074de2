import type { VerifyStep } from '../../language/task/steps/verify/verify-step.ts';
import type { RunState } from '../run-state.ts';
import { tellVerified } from './tell-verified.ts';
import { verifyRows } from './verify-rows.ts';

/** Compares two sides; false where they differ and the step only warns. What was found is the step's output, and in its record. */
export async function runVerify(step: VerifyStep, run: RunState, signal: AbortSignal): Promise<boolean> {
  return tellVerified(step, run, await verifyRows(step, run, signal));
}
