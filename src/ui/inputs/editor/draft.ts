/** Unsaved edits, and the saved value that they are based on. */
export interface Draft<V> {
  readonly value: V;
  readonly base: V;
  /** The version of `base`. */
  readonly version: number;
}

export interface Saved<V> {
  readonly value: V;
  readonly version: number;
}

type Same<V> = (one: V, other: V) => boolean;

/** The draft after an edit; null if it equals what is saved. */
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
 * Whether somebody else has saved a different value since the draft was started. A new version with the same value does not count:
 * every change of the job's configuration makes a new version, and the draft is then simply saved on top of it.
 */
export function isOutdated<V>(draft: Draft<V> | null, saved: Saved<V>, same: Same<V>): boolean {
  return draft !== null && !same(draft.base, saved.value);
}

/** The version to send along when saving the draft. */
export function versionToSend<V>(draft: Draft<V>, saved: Saved<V>, same: Same<V>): number {
  return isOutdated(draft, saved, same) ? draft.version : saved.version;
}

/** The draft based on what is saved now, for readers who keep their own edits. Null if both are equal. */
export function rebaseDraft<V>(draft: Draft<V>, saved: Saved<V>, same: Same<V>): Draft<V> | null {
  return same(draft.value, saved.value)
    ? null
    : { value: draft.value, base: saved.value, version: saved.version };
}
