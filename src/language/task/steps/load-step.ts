import { connector } from '../../declare/connector-call.ts';
import { fittingLoad } from '../../declare/connector-fit.ts';
import { template } from '../../declare/expressions.ts';
import { has, is, when, without } from '../../declare/json-schema.ts';
import type { Rule } from '../../declare/rules.ts';
import { flag, names, oneOf } from '../../declare/values.ts';
import { TASK_NAMES } from '../../yaml/scope-names.ts';
import { CONNECTOR_RETRY } from '../retry-policy.ts';
import { type StepOf, stepKind } from './step-kind.ts';

export type LoadStep = StepOf<typeof loadStep>;

const MODES = ['append', 'replace', 'upsert', 'merge'] as const;
const MODE = 'append';
const KEYED_MODES: readonly unknown[] = ['merge', 'upsert'];

/**
 * Modes that add a few rows to those that are there; every other one, such as `replace`, would replace all rows by them.
 * A mode is added here only when that is so.
 */
export const ADDING_MODES: ReadonlySet<LoadStep['mode']> = new Set(['append', 'upsert', 'merge']);

const KEY_OF_MODE: Rule = {
  check: (reader) => {
    // A mode that is wrong says nothing about the keys beside it.
    const mode = reader.has('mode') ? MODES.find((known) => known === reader.value('mode')) : 'append';
    const key = reader.value('key');
    const missing = key === null || (Array.isArray(key) && key.length === 0);
    if (KEYED_MODES.includes(mode)) {
      if (missing) reader.wrong('key', `"key" is required: "mode" is ${mode}`);
    } else if (mode !== undefined)
      reader.idle('key', `"mode" is ${mode}; use merge or upsert to match rows by key`);
    if (mode !== undefined && mode !== 'replace')
      reader.idle('allow_empty', `"mode" is ${mode}, which never empties`);
  },
  schemas: () => [
    when(is('mode', ...KEYED_MODES), has('key'), without('key')),
    when(is('mode', 'replace'), {}, without('allow_empty')),
  ],
};

/** `load`: rows into an object (a table, a file, a collection) of a connector. */
export const loadStep = stepKind({
  kind: 'load',
  words: 'Writes rows into a table, a file or a collection of a connector.',
  takesRows: true,
  givesRows: false,
  retry: CONNECTOR_RETRY,
  keys: {
    connector,
    object: template('The table, file or collection to write to; may hold `{{ expression }}`.', TASK_NAMES, {
      required: true,
    }),
    mode: oneOf(
      '`append` adds rows; `replace` swaps all rows for the new ones at the end; `upsert` and `merge` update the row with the same `key`, or add one.',
      MODES,
      { default: MODE, later: ['truncate_insert', 'insert_only', 'scd2', 'delete'] },
    ),
    key: names('Columns that identify a row, for `upsert` and `merge`.', { min: 1, default: [] }),
    allow_empty: flag('Whether `replace` may leave the target empty where there are no rows.'),
  },
  later: ['delete_missing', 'schema', 'audit'],
  rules: [KEY_OF_MODE, fittingLoad(MODE)],
  make: ({ connector, object, mode, key, allow_empty }) => ({
    connector,
    object,
    mode,
    key,
    allowEmpty: allow_empty,
  }),
});
