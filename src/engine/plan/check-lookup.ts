import type { Problem } from '../../base/errors.ts';
import { withArticle } from '../../base/text/with-article.ts';
import type { Driver } from '../../drivers/driver.ts';
import { askingOf, unaskable } from '../../language/task/steps/ops/lookup-op.ts';
import type { LookupOp } from '../../language/task/steps/ops/transform-ops.ts';

/** Adds what keeps a lookup from asking its connector; a driver that is missing is told of elsewhere. */
export function checkLookup(
  stepId: string,
  { method: name, args }: LookupOp,
  driver: Driver | undefined,
  problems: Problem[],
): void {
  if (driver === undefined) return;
  const path = `steps.${stepId}.ops.lookup`;
  const method = driver.methods.find((known) => known.name === name);
  if (method === undefined || method.kind === 'write') {
    const what = method === undefined ? `has no method "${name}"` : `writes by "${name}"`;
    const names = driver.methods.filter(({ kind }) => kind !== 'write').map((known) => known.name);
    problems.push({
      path,
      message: `${withArticle(driver.type)} connector ${what}; a lookup reads (available: ${names.join(', ')})`,
    });
    return;
  }
  const problem = askingOf(args) === 'condition' ? unaskable(driver.type, method, args.source) : null;
  if (problem !== null) problems.push({ path, message: problem });
  if (args.names.size > 0) return;
  for (const issue of method.args.safeParse(args.source).error?.issues ?? []) {
    const at = issue.path.length === 0 ? '' : `"${issue.path.join('.')}": `;
    problems.push({ path, message: `The arguments of the lookup for "${name}": ${at}${issue.message}` });
  }
}
