import { declareEntries } from '../template/job-config.ts';
import type { DocumentCheck } from '../yaml/document-check.ts';
import type { Path } from '../yaml/yaml-path.ts';
import { unknownVariable, variablesIn } from './substitute-vars.ts';

/** What a dashboard may name of the job template that it is for. */
export interface TemplateNames {
  readonly connectors: Readonly<Record<string, { readonly type: string }>>;
  readonly args: readonly string[];
  /** The keys of its nodes. */
  readonly tasks: readonly string[];
  /** The `job_config` section. */
  readonly jobConfig: Readonly<Record<string, unknown>>;
}

/** Declares the names of the template, as if they stood in the dashboard itself. */
export function declareTemplate(
  check: DocumentCheck,
  { connectors, args, tasks, jobConfig }: TemplateNames,
): void {
  const untyped = (names: readonly string[]) => names.map((name) => [name, null] as const);
  check.declare(
    'connectors',
    Object.entries(connectors).map(([name, { type }]) => [name, type]),
  );
  check.declare('args', untyped(args));
  check.declare('tasks', untyped(tasks));
  declareEntries(check, Object.entries(jobConfig));
}

/** Reports each `${NAME}` that is no argument of the template. */
export function checkVariables(
  check: DocumentCheck,
  value: unknown,
  args: readonly string[],
  path: Path = [],
): void {
  if (typeof value === 'string') {
    for (const name of variablesIn(value)) {
      if (!args.includes(name)) check.add(path, unknownVariable(name, args));
    }
  } else if (value !== null && typeof value === 'object') {
    const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
    for (const [key, item] of entries) checkVariables(check, item, args, [...path, key]);
  }
}
