/** An open connector is kept by `id`, `version` and configuration; `id` 0 (an unsaved one) is never kept. */
export interface ConnectorRef {
  readonly id: number;
  readonly version: number;
  readonly type: string;
  /** With its secrets. */
  readonly config: unknown;
}
