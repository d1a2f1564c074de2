import type { Problem } from '../../../base/errors.ts';
import type { TemplateInfo } from '../../../threads/messages/definition-info.ts';
import type { ConnectorMapping } from '../job.ts';

/** The part of a saved connector that a mapping needs. */
export interface MappedConnector {
  readonly id: number;
  readonly name: string;
  readonly type: string;
}

/** The problems of a mapping: every required connector must be mapped to an existing one of the right type. */
export function mappingProblems(
  parsed: TemplateInfo,
  mapping: ConnectorMapping,
  known: ReadonlyMap<number, MappedConnector>,
): Problem[] {
  const problems: Problem[] = [];
  for (const [name, wanted] of Object.entries(parsed.connectors)) {
    const path = `connector_mapping.${name}`;
    const id = Object.hasOwn(mapping, name) ? mapping[name] : undefined;
    const connector = id === undefined ? undefined : known.get(id);
    if (id === undefined) {
      const message = `The template needs a connector "${name}" of type "${wanted.type}": map it`;
      if (wanted.required) problems.push({ path, message });
    } else if (connector === undefined) {
      problems.push({ path, message: `There is no connector "${id}"` });
    } else if (connector.type !== wanted.type) {
      const message = `"${name}" must be of type "${wanted.type}"; the connector "${connector.name}" is of type "${connector.type}"`;
      problems.push({ path, message });
    }
  }
  for (const name of Object.keys(mapping)) {
    if (!Object.hasOwn(parsed.connectors, name))
      problems.push({
        path: `connector_mapping.${name}`,
        message: `The template has no connector "${name}"`,
      });
  }
  return problems;
}
