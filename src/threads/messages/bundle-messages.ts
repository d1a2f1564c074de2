/** A bundle as the worker host reads and writes it: definitions by name, their texts unparsed. */
export interface BundleInfo {
  readonly connectors: readonly BundleConnectorInfo[];
  readonly tasks: readonly BundleDefinitionInfo[];
  readonly job_templates: readonly BundleTemplateInfo[];
}

export interface BundleDefinitionInfo {
  readonly name: string;
  /** Absent: the YAML's own, where it has one. */
  readonly description?: string | null;
  readonly yaml: string;
}

export interface BundleTemplateInfo extends BundleDefinitionInfo {
  readonly dashboard_templates: readonly BundleDefinitionInfo[];
}

export interface BundleConnectorInfo {
  readonly name: string;
  readonly type: string;
  readonly description: string | null;
  /** Without secrets. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Secret keys that had a value. */
  readonly secrets: readonly string[];
}
