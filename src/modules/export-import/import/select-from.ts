import { type Problem, validationError } from '../../../base/errors.ts';
import type { Bundle } from '../../../language/bundle/bundle.ts';

/** Names of what is imported of a bundle; of a kind that is left out nothing is. */
export interface SelectFromBundle {
  readonly connectors?: readonly string[] | undefined;
  readonly tasks?: readonly string[] | undefined;
  /** With their dashboard templates. */
  readonly job_templates?: readonly string[] | undefined;
}

/** That part of a bundle; all of it for null. `VALIDATION_ERROR` names what the bundle does not have. */
export function selectFrom(bundle: Bundle, select: SelectFromBundle | null): Bundle {
  if (select === null) return bundle;
  const problems: Problem[] = [];
  const pick = <T extends { readonly name: string }>(
    key: keyof SelectFromBundle,
    items: readonly T[],
  ): readonly T[] => {
    const byName = new Map(items.map((item) => [item.name, item]));
    return [...new Set(select[key])].flatMap((name) => {
      const item = byName.get(name);
      if (item === undefined)
        problems.push({ path: `select.${key}`, message: `The bundle has no "${name}" under "${key}"` });
      return item ?? [];
    });
  };
  const picked = {
    connectors: pick('connectors', bundle.connectors),
    tasks: pick('tasks', bundle.tasks),
    job_templates: pick('job_templates', bundle.job_templates),
  };
  if (problems.length > 0) throw validationError(problems);
  return picked;
}
