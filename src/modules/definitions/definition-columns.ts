import type { PreparedYaml, Stamp } from './yaml-definitions.ts';

/** The columns that every definition in YAML has, as a change writes them. */
export function definitionColumns({ name, description, yaml, by, now }: PreparedYaml & Stamp) {
  return { name, description, yaml_content: yaml, updated_at: now, updated_by: by };
}

/** The columns of one version of a definition's text. */
export function versionColumns(version: number, { yaml, by, now }: PreparedYaml & Stamp) {
  return { version, yaml_content: yaml, created_at: now, created_by: by };
}
