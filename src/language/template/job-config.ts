import type { Expression } from '../expression/expression.ts';

/** The `job_config` section of a template: what a job's owner may edit. Keys: letters, digits, `_`, `-`. */
export type JobConfigSchema = Readonly<Record<string, JobConfigEntry>>;
export type JobConfigEntry = FormEntry | FieldMappingEntry;

export interface FormEntry {
  readonly type: 'form';
  readonly title: string | null;
  readonly description: string | null;
  readonly fields: readonly FormField[];
}

export interface FormField {
  readonly key: string;
  readonly label: string;
  readonly type: 'text' | 'number' | 'boolean' | 'select' | 'multi_select';
  readonly required: boolean;
  readonly default: unknown;
  readonly format: 'email' | 'url' | null;
  readonly dependsOn: readonly string[];
  readonly hideIf: Expression | null;
  readonly options: readonly { readonly label: string; readonly value: string }[] | null;
  readonly optionsSource: OptionsSource | null;
}

export interface OptionsSource {
  readonly connector: string;
  readonly method: string;
  readonly args: unknown;
  readonly label: Expression;
  readonly value: Expression;
  readonly subtext: Expression | null;
  readonly transform: Expression | null;
  readonly dependsOn: readonly string[];
  readonly search: { readonly param: string | null; readonly onFrontend: boolean } | null;
}

export interface MappingSide {
  readonly optionsSource: OptionsSource | null;
  readonly label: Expression | null;
  readonly value: Expression | null;
}

export interface FieldMappingEntry {
  readonly type: 'field_mapping';
  readonly title: string | null;
  readonly allowTransform: boolean;
  readonly default: readonly MappingRow[];
  readonly source: MappingSide;
  readonly target: MappingSide;
  readonly validation: Expression | null;
}

export interface MappingRow {
  readonly source_field: string;
  readonly target_field: string;
  readonly transform: string | null;
}
