import { validationError } from '../base/errors.ts';
import type { Scope } from '../language/expression/expression.ts';
import { parseTemplate } from '../language/expression/parse-template-string.ts';
import type { Template } from '../language/expression/template-string.ts';

/** Values with `{{ expression }}`s, compiled, by the value as it stands in a kept document. */
export class TemplateCache {
  readonly #templates = new WeakMap<object, Template>();

  /** Throws `ExpressionError`, and a `VALIDATION_ERROR` for what does not parse. */
  async render(value: unknown, scope: Scope): Promise<unknown> {
    if (typeof value === 'string') return compiled(value).render(scope);
    if (value === null || typeof value !== 'object') return value;
    let template = this.#templates.get(value);
    if (template === undefined) {
      template = compiled(value);
      this.#templates.set(value, template);
    }
    return template.render(scope);
  }
}

function compiled(value: unknown): Template {
  const parsed = parseTemplate(value, '');
  if (parsed.problems.length > 0) throw validationError(parsed.problems);
  return parsed.template;
}
