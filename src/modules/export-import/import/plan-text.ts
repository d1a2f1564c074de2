import type { Problem } from '../../../base/errors.ts';
import type { BundleDefinition } from '../../../language/bundle/bundle.ts';
import { type Decision, decision, isWritten, type ParsedTask, type ParsedTemplate } from './plan-item.ts';

/** For an unparsed text. */
export const UNPARSED = { ok: false, problems: [] } as const;

/** Taken names: here, or in the bundle itself. */
export function takenNames(rows: ReadonlyMap<string, unknown>, items: readonly { readonly name: string }[]) {
  return new Set([...rows.keys(), ...items.map(({ name }) => name)]);
}

export function noSuchType(type: string, path: string): Problem {
  return { path, message: `This server has no connector type "${type}"` };
}

/** Problems of a text matter only if it is written. */
export function withProblems(
  wanted: Decision,
  parsed: ParsedTask | ParsedTemplate,
  unknownTypes: readonly string[],
): Decision {
  if (!isWritten(wanted)) return wanted;
  if (!parsed.ok) return decision('invalid', parsed.problems);
  if (unknownTypes.length === 0) return wanted;
  return decision(
    'missing_dependency',
    unknownTypes.map((type) => noSuchType(type, 'connectors')),
  );
}

/** Whether the existing definition equals the bundle's. */
export function isSame(
  existing: { readonly yaml_content: string; readonly description: string | null } | null,
  definition: BundleDefinition,
  parsed: ParsedTask | ParsedTemplate,
): boolean {
  if (existing === null || existing.yaml_content !== definition.yaml) return false;
  return existing.description === descriptionOf(definition, parsed);
}

/** The explicit one, or the text's own. */
function descriptionOf({ description }: BundleDefinition, parsed: ParsedTask | ParsedTemplate) {
  if (description !== undefined) return description;
  return parsed.ok ? parsed.info.description : null;
}
