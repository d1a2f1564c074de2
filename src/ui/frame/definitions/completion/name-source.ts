/** A table, file, collection or column, as a connector names it. */
export interface KnownName {
  readonly name: string;
  /** What it is: a kind of resource, or the type of a column. */
  readonly type: string;
}

/**
 * Names that only a connector knows, by the text's own name for it. Both give nothing where no connector is chosen for that name, or
 * where it cannot be reached; they never reject.
 */
export interface NameSource {
  resources(connector: string): Promise<readonly KnownName[]>;
  columns(connector: string, resource: string): Promise<readonly KnownName[]>;
}

export const noNames: NameSource = { resources: async () => [], columns: async () => [] };
