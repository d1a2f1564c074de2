import type { DocumentCheck } from '../yaml/document-check.ts';
import { didYouMean } from '../yaml/suggest-name.ts';
import type { Path } from '../yaml/yaml-path.ts';
import type { FormField } from './form-field.ts';

/** Reports every name under `path`.depends_on that is none of `known`. */
export function checkDependsOn(
  check: DocumentCheck,
  path: Path,
  names: readonly string[],
  known: readonly string[],
): void {
  // Before the variables are put in, any name may become any other.
  if (known.some((name) => check.isPlaceholder(name))) return;
  for (const name of names) {
    if (known.includes(name) || check.isPlaceholder(name)) continue;
    check.add(
      [...path, 'depends_on'],
      `There is no other field or entry "${name}"${didYouMean(name, known)}`,
    );
  }
}

/** `depends_on` of fields, and of their option sources, names other fields of the list at `path`, or one of `entries`. */
export function checkFieldDependencies(
  check: DocumentCheck,
  path: Path,
  fields: readonly FormField[],
  entries: readonly string[],
): void {
  for (const [index, field] of fields.entries()) {
    const others = fields.map((other) => other.key).filter((other) => other !== field.key);
    const known = [...others, ...entries];
    checkDependsOn(check, [...path, index], field.dependsOn, known);
    checkDependsOn(check, [...path, index, 'options_source'], field.optionsSource?.dependsOn ?? [], known);
  }
}
