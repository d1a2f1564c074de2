/** The work of the task `job_key` as a Piscina task of its own: nothing of the worker host. */
import { canonicalJson } from '../../src/base/json.ts';
import type { JobTemplate } from '../../src/language/template/parse-template.ts';
import { parseJobTemplate } from '../../src/language/template/parse-template.ts';

export interface JobKeyInput {
  readonly templateYaml: string;
  readonly scope: Record<string, unknown>;
}

function createJobKey(): (input: JobKeyInput) => Promise<string> {
  const templates = new Map<string, JobTemplate>();
  return async ({ templateYaml, scope }) => {
    let template = templates.get(templateYaml);
    if (template === undefined) {
      const parsed = parseJobTemplate(templateYaml);
      if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join('; '));
      template = parsed.template;
      templates.set(templateYaml, template);
    }
    const key = canonicalJson((await template.concurrency?.key?.evaluate(scope)) ?? null);
    return JSON.stringify({ ok: true, key });
  };
}

export const jobKey = createJobKey();
