/** Where a target keeps the versions of its rows: its columns, which the rows of a load bring as well. */
export interface Versions {
  readonly validFrom: string;
  readonly validTo: string;
  readonly current: string;
  readonly hash: string;
  /** Rows hold from the time of the load on, which cannot be before that of versions that are there. */
  readonly byLoadTime: boolean;
}

/** What becomes of rows of the target whose key comes in no batch of a load. */
export interface MissingRows {
  /** Gets `at`, where it is null; null: the rows are removed, or, where there are versions, these end. */
  readonly column: string | null;
  /** RFC 3339 in UTC, with six digits of a second. */
  readonly at: string;
  /** The load fails where more of the rows would go; 0 to 1. */
  readonly maxShare: number;
}
