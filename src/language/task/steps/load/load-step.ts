import { connector } from '../../../declare/connector-call.ts';
import { fittingLoad } from '../../../declare/connector-fit.ts';
import { template } from '../../../declare/expressions.ts';
import { has, is, when, without } from '../../../declare/json-schema.ts';
import { idleWhere, type Rule } from '../../../declare/rules.ts';
import { flag, names, oneOf } from '../../../declare/values.ts';
import { TASK_NAMES } from '../../../yaml/scope-names.ts';
import { CONNECTOR_RETRY } from '../../retry-policy.ts';
import { type StepOf, stepKind } from '../step-kind.ts';
import { LOAD_VERIFY, VERIFIED_LOAD } from '../verify/load-verify.ts';
import { AUDIT, DISCARDED_ROWS, SCHEMA } from './load-options.ts';
import {
  DELETE_MISSING,
  DELETES,
  deletesMissing,
  HISTORY,
  HISTORY_OF_MODE,
  HISTORY_USUAL,
  MISSING_OF_MODE,
} from './load-rows.ts';
import { ABSENT, LOSSY, VALUES_OF_MODE } from './load-values.ts';

export type LoadStep = StepOf<typeof loadStep>;

export const LOAD_MODES = [
  'append',
  'replace',
  'truncate_insert',
  'upsert',
  'merge',
  'insert_only',
  'scd2',
  'delete',
] as const;
const MODE = 'append';
export const KEYED_MODES: readonly LoadStep['mode'][] = ['merge', 'upsert', 'insert_only', 'scd2', 'delete'];
/** Modes that put the rows in the place of all that are there. */
export const EMPTYING_MODES: readonly LoadStep['mode'][] = ['replace', 'truncate_insert'];

/**
 * Modes in which a few rows touch only rows of their own; every other one, such as `replace`, would replace all rows by them.
 * A mode is added here only when that is so.
 */
export const ADDING_MODES: ReadonlySet<LoadStep['mode']> = new Set(['append', ...KEYED_MODES]);

const KEYED = `${KEYED_MODES.slice(0, -1).join(', ')} or ${KEYED_MODES.at(-1)}`;

const KEY_OF_MODE: Rule = {
  check: (reader) => {
    // A mode that is wrong says nothing about the keys beside it.
    const mode = reader.has('mode') ? LOAD_MODES.find((known) => known === reader.value('mode')) : 'append';
    const key = reader.value('key');
    const missing = key === null || (Array.isArray(key) && key.length === 0);
    if (KEYED_MODES.some((keyed) => keyed === mode)) {
      if (missing) reader.wrong('key', `"key" is required: "mode" is ${mode}`);
    } else if (mode !== undefined) reader.idle('key', `"mode" is ${mode}; use ${KEYED} to match rows by key`);
    if (mode !== undefined && !EMPTYING_MODES.includes(mode) && !deletesMissing(reader))
      reader.idle('allow_empty', `"mode" is ${mode}, which never empties`);
  },
  schemas: () => [
    when(is('mode', ...KEYED_MODES), has('key'), without('key')),
    when({ anyOf: [is('mode', ...EMPTYING_MODES), DELETES] }, {}, without('allow_empty')),
  ],
};

/** A delete takes keys alone. */
const NOTHING_WRITTEN = idleWhere(
  'mode',
  ['delete'],
  ['schema', 'audit'],
  () => '"mode" is delete, which writes no rows',
);

/** `load`: rows into an object (a table, a file, a collection) of a connector. */
export const loadStep = stepKind({
  kind: 'load',
  words:
    'Writes rows into a table, a file or a collection of a connector. Loads of the same rows run side by side and commit together; a connector that allows one load at a time (SQLite) cannot take two of them, nor can two connectors of one such file: give the second load an `extract` of its own, or another file.',
  atOnce:
    'its batches are one transaction, written one after another; use "partition" on the extract, whose parts load at the same time, or for an API the "concurrency" of the connector',
  takesRows: true,
  givesRows: false,
  retry: CONNECTOR_RETRY,
  keys: {
    connector,
    object: template('The table, file or collection to write to; may hold `{{ expression }}`.', TASK_NAMES, {
      required: true,
    }),
    mode: oneOf(
      '`append` adds rows; `replace` swaps all rows for the new ones at the end; `truncate_insert` empties and refills the table, keeping everything that references it; `upsert` and `merge` update the row with the same `key`, or insert it; `insert_only` inserts rows with a new `key` and leaves existing rows unchanged; `scd2` keeps every version of a row with its validity period; `delete` deletes target rows with a matching `key`.',
      LOAD_MODES,
      { default: MODE },
    ),
    key: names('Columns that identify a row, for `upsert`, `merge`, `insert_only`, `scd2` and `delete`.', {
      min: 1,
      default: [],
    }),
    allow_empty: flag(
      'Whether `replace`, `truncate_insert` and `delete_missing` may empty the target when there are no rows.',
    ),
    delete_missing: DELETE_MISSING,
    history: HISTORY,
    schema: SCHEMA,
    audit: AUDIT,
    absent: ABSENT,
    lossy: LOSSY,
    verify: LOAD_VERIFY,
  },
  rules: [
    KEY_OF_MODE,
    NOTHING_WRITTEN,
    DISCARDED_ROWS,
    MISSING_OF_MODE,
    HISTORY_OF_MODE,
    VALUES_OF_MODE,
    VERIFIED_LOAD,
    fittingLoad(MODE, deletesMissing),
  ],
  make: ({
    connector,
    object,
    mode,
    key,
    allow_empty,
    delete_missing,
    history,
    schema,
    audit,
    absent,
    lossy,
    verify,
  }) => ({
    connector,
    object,
    mode,
    key,
    allowEmpty: allow_empty,
    deleteMissing: delete_missing,
    history: mode === 'scd2' ? (history ?? HISTORY_USUAL) : null,
    newColumns: schema?.columns ?? 'evolve',
    newTypes: schema?.types ?? null,
    onChange: schema?.on_change ?? null,
    audit,
    /** A version is a whole row. */
    absentIsNull: absent === 'null' || mode === 'scd2',
    lossy: new Map(Object.entries(lossy)),
    verify,
  }),
});
