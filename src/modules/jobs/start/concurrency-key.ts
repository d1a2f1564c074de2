import { validationError } from '../../../base/errors.ts';
import type { TemplateInfo } from '../../../threads/messages/definition-info.ts';

/** Evaluates the `concurrency.key_expr` of a template in the worker host: the control plane runs no expression. */
export type EvaluateKey = (
  templateYaml: string,
  scope: { readonly args: unknown; readonly job_config: unknown },
) => Promise<{ readonly ok: true; readonly key: string } | { readonly ok: false; readonly message: string }>;

/** Whether a start needs its key before its transaction. */
export function needsKey(parsed: TemplateInfo): boolean {
  return (parsed.concurrency?.keyExpr ?? null) !== null;
}

/** The key of a start, null if the template has none. `VALIDATION_ERROR` if its expression fails. */
export async function concurrencyKey(
  evaluate: EvaluateKey,
  job: { readonly yaml_content: string; readonly parsed: TemplateInfo },
  args: Readonly<Record<string, unknown>>,
  config: Readonly<Record<string, unknown>>,
): Promise<string | null> {
  if (!needsKey(job.parsed)) return null;
  const answer = await evaluate(job.yaml_content, { args, job_config: config });
  if (answer.ok) return answer.key;
  throw validationError([{ path: 'concurrency.key_expr', message: answer.message }]);
}
