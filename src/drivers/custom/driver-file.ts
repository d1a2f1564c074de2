/** A driver of the operator's own, by its connector type. */
export interface DriverFile {
  readonly type: string;
  /** Absolute path of the module that is loaded. */
  readonly path: string;
}
