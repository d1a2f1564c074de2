/** What script steps may use where a task runs. */
export interface ScriptAccess {
  /** The program that runs Python; null for none. */
  readonly python: string | null;
  /** Largest memory of a script's process, in MB. */
  readonly memoryMb: number;
}
