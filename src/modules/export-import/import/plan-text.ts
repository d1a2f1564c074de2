import type { Problem } from '../../../base/errors.ts';
import type { BundleDefinition } from '../../../language/bundle/bundle.ts';
import { type Decision, decision, isWritten, type ParsedTask, type ParsedTemplate } from './plan-item.ts';

/** For a text that was not parsed. */
export const UNPARSED = { ok: false, problems: [] } as const;

/** Names that are taken: here, or by the bundle itself. */
export function takenNames(rows: ReadonlyMap<string, unknown>, items: readonly { readonly name: string }[]) {
  return new Set([...rows.keys(), ...items.map(({ name }) => name)]);
}

export function noSuchType(type: string, path: string): Problem {
  return { path, message: `This server has no connector type "${type}"` };
}

/** What is wrong with a text matters where it is written. */
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

/** Whether a definition is here as the bundle has it. */
export function isSame(
  existing: { readonly yaml_content: string; readonly description: string | null } | null,
  definition: BundleDefinition,
  parsed: ParsedTask | ParsedTemplate,
): boolean {
  if (existing === null || existing.yaml_content !== definition.yaml) return false;
  return existing.description === descriptionOf(definition, parsed);
}

/** As it is given, or the text's own. */
function descriptionOf({ description }: BundleDefinition, parsed: ParsedTask | ParsedTemplate) {
  if (description !== undefined) return description;
  return parsed.ok ? parsed.info.description : null;
}
