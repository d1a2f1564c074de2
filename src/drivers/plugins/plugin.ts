/** A program of the server's settings that connectors may start by its name. */
export interface Plugin {
  readonly name: string;
  /** The program and its first arguments. */
  readonly command: readonly string[];
  /** Its working folder; null: one of its own, which is removed with it. */
  readonly folder: string | null;
  /** Of its processes together, in MB. */
  readonly memoryMb: number;
}
