/** A file that a pattern found. */
export interface FoundFile {
  /** From the connector's folder on, with `/` between folders; `open` takes it. */
  readonly name: string;
  readonly sizeBytes: number;
  /** When it was last changed: RFC 3339 in UTC, as finely as the storage tells. */
  readonly modified: string;
}
