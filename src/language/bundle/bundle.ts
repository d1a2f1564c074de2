/** What `headgate_bundle` says of the form below. */
export const BUNDLE_FORMAT = 1;

export const BUNDLE_LIMITS = {
  /** UTF-8 bytes of the YAML; of a zip's files together, decompressed. */
  bytesMax: 2_097_152,
  /** Definitions and connectors together. */
  itemsMax: 1_000,
  /** Characters of the text of one definition. */
  yamlCharsMax: 262_144,
  nameCharsMax: 200,
  descriptionCharsMax: 4_000,
  typeCharsMax: 64,
} as const;

/** Definitions by name, without ids, versions, times and secrets: equal definitions are equal bundles. */
export interface Bundle {
  readonly connectors: readonly BundleConnector[];
  readonly tasks: readonly BundleDefinition[];
  readonly job_templates: readonly BundleTemplate[];
}

export interface BundleDefinition {
  readonly name: string;
  /** Absent: the YAML's own, where it has one. */
  readonly description?: string | null;
  readonly yaml: string;
}

export interface BundleTemplate extends BundleDefinition {
  readonly dashboard_templates: readonly BundleDefinition[];
}

/** A connector without its secrets. */
export interface BundleConnector {
  readonly name: string;
  readonly type: string;
  readonly description: string | null;
  readonly config: Readonly<Record<string, unknown>>;
  /** Secret keys that had a value, and have to be given where the bundle is imported. */
  readonly secrets: readonly string[];
}
