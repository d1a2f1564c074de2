/** What is typed and not saved, and what it was typed over. */
export interface Draft<V> {
  readonly value: V;
  readonly base: V;
  /** The saved version that `base` is of. */
  readonly version: number;
}

export interface Saved<V> {
  readonly value: V;
  readonly version: number;
}

type Same<V> = (one: V, other: V) => boolean;

/** The draft after an edit; null where it says what is saved again. */
export function editDraft<V>(
  draft: Draft<V> | null,
  saved: Saved<V>,
  value: V,
  same: Same<V>,
): Draft<V> | null {
  const base = draft ?? { base: saved.value, version: saved.version };
  return same(value, base.base) && same(value, saved.value)
    ? null
    : { value, base: base.base, version: base.version };
}

/**
 * Whether somebody else has saved another value under the draft. A new version with the old value is none: the version counts
 * every change of the job's configuration, and the draft then goes on over the new one.
 */
export function isOutdated<V>(draft: Draft<V> | null, saved: Saved<V>, same: Same<V>): boolean {
  return draft !== null && !same(draft.base, saved.value);
}

/** The version that a save of the draft is over. */
export function versionToSend<V>(draft: Draft<V>, saved: Saved<V>, same: Same<V>): number {
  return isOutdated(draft, saved, same) ? draft.version : saved.version;
}

/** The draft over what is saved now: the choice of keeping one's own text. Null where both say the same. */
export function rebaseDraft<V>(draft: Draft<V>, saved: Saved<V>, same: Same<V>): Draft<V> | null {
  return same(draft.value, saved.value)
    ? null
    : { value: draft.value, base: saved.value, version: saved.version };
}
