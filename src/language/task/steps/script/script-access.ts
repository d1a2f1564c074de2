/** What script steps may use where a task runs. */
export interface ScriptAccess {
  /** The program that runs Python; null for none. */
  readonly python: string | null;
  /** Largest memory of a script's process, in MB. */
  readonly memoryMb: number;
  /** The program that installs the dependencies of Python, and the folder for its environments; null or absent: nothing is installed. */
  readonly uv?: { readonly program: string; readonly folder: string } | null;
  /** Folders with a package-lock.json and the node_modules that JavaScript may import from, by their names. Default: none. */
  readonly packages?: Readonly<Record<string, string>>;
  /** Default: nothing. */
  readonly grants?: ScriptGrants;
}

/** What the code itself may reach. Folders are absolute. */
export interface ScriptGrants {
  /** Folders that it may read. */
  readonly read: readonly string[];
  /** Folders in which it may write. */
  readonly write: readonly string[];
  /** Hosts that it may connect to: `host` or `host:port`, in lower case. */
  readonly network: readonly string[];
}

export const NO_GRANTS: ScriptGrants = { read: [], write: [], network: [] };
