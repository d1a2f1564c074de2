import type { Conditions, Writer } from '../../drivers/driver.ts';
import type { FoundFile } from '../../drivers/files/storage/found-file.ts';

/** A share of the rows of an extract. All parts of a plan together hold each row once. */
export interface Part {
  /** From 1. */
  readonly number: number;
  /** What its rows have in common, for people: `id >= 100 and < 200`. */
  readonly label: string;
  /** On the column that divides the rows; null where files divide them. */
  readonly condition: Conditions | null;
  /** Whose rows these are; null where a column divides them. */
  readonly files: readonly FoundFile[] | null;
}

/** A part that is being worked on, as the extract and the load of its pipeline see it. */
export interface OpenPart extends Part {
  /** The column that divides the rows; empty where files do. */
  readonly by: string;
  /** `state.cursor` of its expressions, where the extract has a cursor. */
  readonly state: Readonly<Record<string, unknown>>;
  /** When the load of all parts began, in milliseconds since 1970. */
  readonly loadedAt: number;
  /** Opens the writer that takes the rows of the part to the stage. */
  openWriter(signal: AbortSignal): Promise<Writer>;
}
