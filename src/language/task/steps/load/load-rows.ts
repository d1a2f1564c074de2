import { isRecord } from '../../../../base/json.ts';
import { has, is, type JsonSchema, when, without } from '../../../declare/json-schema.ts';
import { map, readMapOf, submap } from '../../../declare/map.ts';
import type { Rule } from '../../../declare/rules.ts';
import { special, type Value } from '../../../declare/value.ts';
import { field, names, number, oneOf } from '../../../declare/values.ts';
import type { MapReader } from '../../../yaml/map-reader.ts';

/** What a load does with rows of the target that no longer come. */
export interface DeleteMissing {
  /** `soft` marks them, or closes their version; `hard` removes them. */
  readonly action: 'soft' | 'hard';
  /** Holds when a row was marked. */
  readonly column: string;
  /** The load fails where a larger share of the rows that stand there would go; 0 to 1. */
  readonly maxShare: number;
}

/** Modes that know a row by its key, and may so tell which ones no longer come. */
const DELETING_MODES = ['merge', 'upsert', 'scd2'];
const MARK = '_deleted_at';
const SHARE_MAX = 0.5;

const DELETE_WORDS =
  'What happens to target rows whose `key` is missing from a complete extract: `none` (the default) keeps them; `soft` writes the time to a column or, with `scd2`, ends their version; `hard` deletes them. Or a map.';

const DELETE_MAP = map(
  DELETE_WORDS,
  {
    action: oneOf('`soft` or `hard`.', ['soft', 'hard'], { required: true }),
    column: field(
      'With `soft`: the column for the time at which a row was found missing; null while it is present. Default: `_deleted_at`.',
    ),
    max_share: number(
      'The load fails without changes if it would remove a larger share of the target’s rows.',
      { min: 0, max: 1, default: SHARE_MAX },
    ),
  },
  {
    rules: [
      {
        check: (reader) => {
          if (reader.value('action') === 'hard')
            reader.idle('column', '"action" is hard, which deletes the rows');
        },
        schemas: () => [when(is('action', 'hard'), without('column'))],
      },
    ],
    make: ({ action, column, max_share }): DeleteMissing => ({
      action,
      column: column ?? MARK,
      maxShare: max_share,
    }),
  },
);

/** `delete_missing: soft`, or `delete_missing: {action, column, max_share}`. */
export const DELETE_MISSING: Value<DeleteMissing | null> = special(
  DELETE_WORDS,
  (options) => ({ anyOf: [{ enum: ['none', 'soft', 'hard'] }, DELETE_MAP.schema(options)] }),
  (reader, key) => {
    const value = reader.value(key);
    if (isRecord(value)) return readMapOf(reader.check, value, reader.at(key), DELETE_MAP);
    const action = SHORT.read(reader, key);
    return action === 'none' ? null : { action, column: MARK, maxShare: SHARE_MAX };
  },
);
const SHORT = oneOf('', ['none', 'soft', 'hard'], { default: 'none' });

function actionOf(reader: MapReader): unknown {
  const value = reader.value('delete_missing');
  return isRecord(value) ? value['action'] : value;
}

/** True where rows may go; what the value of the key is, is looked at elsewhere. */
export function deletesMissing(reader: MapReader): boolean {
  const action = actionOf(reader);
  return action === 'soft' || action === 'hard';
}

function actionIs(...actions: readonly string[]): JsonSchema {
  const asMap = { ...is('action', ...actions), type: 'object' };
  return {
    required: ['delete_missing'],
    properties: { delete_missing: { anyOf: [{ enum: actions }, asMap] } },
  };
}

export const DELETES: JsonSchema = actionIs('soft', 'hard');

/** Which modes can tell the rows that no longer come, and what a table with history keeps. */
export const MISSING_OF_MODE: Rule = {
  check: (reader) => {
    const mode = reader.value('mode') ?? 'append';
    if (typeof mode !== 'string' || reader.check.isPlaceholder(mode)) return;
    if (!DELETING_MODES.includes(mode)) {
      reader.idle('delete_missing', `"mode" is ${mode}; use merge, upsert or scd2, which match rows by key`);
      return;
    }
    if (mode !== 'scd2') return;
    const value = reader.value('delete_missing');
    if (actionOf(reader) === 'hard')
      reader.wrong(
        'delete_missing',
        '"hard" would remove the history that scd2 keeps; use soft, which ends it',
      );
    if (isRecord(value) && (value['column'] ?? null) !== null)
      reader.check.add(
        reader.at('delete_missing', 'column'),
        '"column" has no effect: scd2 ends the version of a missing row',
        'key',
      );
  },
  schemas: () => [
    when(is('mode', ...DELETING_MODES), {}, without('delete_missing')),
    when(
      { allOf: [is('mode', 'scd2'), has('delete_missing')] },
      {
        properties: {
          delete_missing: {
            anyOf: [
              { enum: ['none', 'soft'] },
              { type: 'object', allOf: [is('action', 'soft'), without('column')] },
            ],
          },
        },
      },
    ),
  ],
};

/** How `scd2` keeps the versions of a row. */
export interface VersionColumns {
  /** Columns whose change makes a version; null for all but the key and `asOf`. */
  readonly track: readonly string[] | null;
  /** The column of the rows that tells from when on a row holds; null for the time of the load. */
  readonly asOf: string | null;
  /** Columns of the target. */
  readonly validFrom: string;
  readonly validTo: string;
  readonly current: string;
  readonly hash: string;
}

const HISTORY_MAP = map(
  'With `mode: scd2`: what starts a new version of a row, and the columns for its validity.',
  {
    track: names(
      'Columns whose change starts a new version. The others keep the values with which their version began. Default: all columns except the `key` and `as_of`.',
      {
        min: 1,
        absent: 'all but the `key` and `as_of`',
      },
    ),
    as_of: field(
      'Column of the incoming rows with the time from which a version is valid. Default: the time of the load.',
    ),
    valid_from: field('Column for the start of a version’s validity. Default: `valid_from`.'),
    valid_to: field('Column for the end of its validity; null for the current version. Default: `valid_to`.'),
    current: field('Column that is true for the current version. Default: `is_current`.'),
    hash: field('Column for the hash of the tracked values. Default: `_row_hash`.'),
  },
  {
    rules: [
      {
        check: (reader) => {
          const taken = new Set<unknown>();
          for (const key of ['valid_from', 'valid_to', 'current', 'hash'] as const) {
            const name = reader.value(key) ?? USUAL[key];
            if (taken.has(name))
              reader.wrong(key, `"${name}" names another column of the history; choose another`);
            taken.add(name);
          }
          const track = reader.value('track');
          if (Array.isArray(track) && track.length === 0)
            reader.wrong('track', '"track" must name at least one column');
        },
        schemas: () => [],
      },
    ],
    make: ({ track, as_of, valid_from, valid_to, current, hash }): VersionColumns => ({
      track,
      asOf: as_of,
      validFrom: valid_from ?? USUAL.valid_from,
      validTo: valid_to ?? USUAL.valid_to,
      current: current ?? USUAL.current,
      hash: hash ?? USUAL.hash,
    }),
  },
);
const USUAL = { valid_from: 'valid_from', valid_to: 'valid_to', current: 'is_current', hash: '_row_hash' };

export const HISTORY_USUAL: VersionColumns = {
  track: null,
  asOf: null,
  validFrom: USUAL.valid_from,
  validTo: USUAL.valid_to,
  current: USUAL.current,
  hash: USUAL.hash,
};

/** `history: {…}` of `mode: scd2`. */
export const HISTORY = submap(HISTORY_MAP);

export const HISTORY_OF_MODE: Rule = {
  check: (reader) => {
    const mode = reader.value('mode') ?? 'append';
    if (mode === 'scd2' || typeof mode !== 'string' || reader.check.isPlaceholder(mode)) return;
    reader.idle('history', `"mode" is ${mode}; only scd2 keeps versions`);
  },
  schemas: () => [when(is('mode', 'scd2'), {}, without('history'))],
};
