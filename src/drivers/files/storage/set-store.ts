import { ConnectorError } from '../../driver.ts';

const STAGED = /^\.headgate-[0-9a-f-]+\.set\/\d+$/;

/** The hidden folder, or object, beside a set for what an attempt has staged. */
export function stagingOf(attempt: string): string {
  return `.headgate-${attempt}.set`;
}

/** Throws `TARGET` where a record names something else as the staged file, which is in a folder of `stagingOf`. */
export function requireStaged(name: string, staged: string): void {
  if (!STAGED.test(staged)) throw new ConnectorError('TARGET', `The record next to "${name}" is damaged`);
}

/** Says how a set of files was written; see `StagedSet`. */
export interface SetRecord {
  readonly text: string;
  /** Changes with the text. */
  readonly version: string;
}

/** Files of a storage that are put in place together. Names are from the connector's folder on; everything rejects with a `ConnectorError`. */
export interface SetStore {
  /** Null for none. */
  readRecord(): Promise<SetRecord | null>;
  /** Fails with `UNAVAILABLE` where another record than `before` is there by now. */
  writeRecord(text: string, before: SetRecord | null): Promise<void>;
  /** Keeps what has come where nobody sees it. `attempt`: whose it is. Resolves to what `publish` needs. */
  stage(attempt: string, name: string, contents: AsyncIterable<Uint8Array>): Promise<string>;
  /** Puts the file in its place, as a whole; does nothing where that was done before. */
  publish(name: string, staged: string): Promise<void>;
  /** A file that is not there is none; folders that this empties go too. */
  remove(name: string): Promise<void>;
  /** Removes what an attempt has staged, apart from what was published. */
  sweep(attempt: string): Promise<void>;
  /** Works while no other load of the set does, where the storage has locks; elsewhere `writeRecord` tells. `owner`: the load. */
  exclusively<T>(owner: string, work: () => Promise<T>): Promise<T>;
}
