import type { Verification } from '../../base/run-report.ts';
import { formatCount } from '../../base/text/format-figures.ts';
import { RunFault } from '../run-fault.ts';
import { type RunState, stateOf } from '../run-state.ts';

/** Keeps what was found in the step's record. False where the sides differ; throws a `RunFault` where that fails the step. */
export function tellVerified(
  { id, onDifference }: { readonly id: string; readonly onDifference: string },
  run: RunState,
  found: Verification,
): boolean {
  const state = stateOf(run, id);
  state.verification = found;
  const { differences: _, columns, ...figures } = found;
  state.output = { ...figures, columns: columns.map(({ column }) => column) };
  run.ports.log(found.equal ? 'info' : 'warn', id, sentenceOf(found), {
    rows_source: found.rows_source,
    rows_target: found.rows_target,
    differing: found.differing,
    missing: found.missing,
    surplus: found.surplus,
    settled: found.settled,
    digested: found.digested,
  });
  if (found.left_out.length > 0)
    run.ports.log('info', id, `Columns that were not compared: ${found.left_out.join(', ')}`);
  if (found.equal) return true;
  if (onDifference === 'warn' || onDifference === 'dead_letter') return false;
  throw new RunFault('VERIFY_DIFFERS', sentenceOf(found), { reason: 'task_error', stepId: id });
}

export function sentenceOf(found: Verification): string {
  const { source, target, rows_source, differing, missing, surplus, equal, sample } = found;
  const part = sample === null || sample === 1 ? '' : ` (a sample of ${sample * 100} % of the keys)`;
  if (equal && surplus > 0)
    return `"${target}" has all ${formatCount(rows_source)} rows of "${source}", and ${formatCount(surplus)} more${part}`;
  if (equal) return `"${target}" has the same ${formatCount(rows_source)} rows as "${source}"${part}`;
  const parts = [
    differing === 0 ? '' : `${formatCount(differing)} differing`,
    missing === 0 ? '' : `${formatCount(missing)} missing`,
    surplus === 0 ? '' : `${formatCount(surplus)} surplus`,
  ].filter((text) => text !== '');
  return `"${target}" does not have the same rows as "${source}"${part}: ${parts.join(', ')}`;
}
