import { isRecord } from '../../../../base/json.ts';
import { withArticle } from '../../../../base/text/with-article.ts';
import { connectorOf } from '../../../declare/connector-fit.ts';
import { is, when, without } from '../../../declare/json-schema.ts';
import { map, readMapOf } from '../../../declare/map.ts';
import type { Rule } from '../../../declare/rules.ts';
import { special, type Value } from '../../../declare/value.ts';
import { names, oneOf } from '../../../declare/values.ts';
import { COMPARING, type Comparing } from './verify-options.ts';

const ON_LOADED = ['fail', 'warn', 'reload', 'dead_letter'] as const;

/** How the target of a load is compared with the rows that were loaded. */
export interface LoadVerify extends Pick<Comparing, 'sample' | 'differencesMax'> {
  /** null: that of the load. */
  readonly key: readonly string[] | null;
  /** null: all that the rows and the target have. */
  readonly columns: readonly string[] | null;
  readonly onDifference: (typeof ON_LOADED)[number];
}

const WORDS =
  'Compares the target with the rows that were loaded, once the load has committed: `true`, or a map. The load stays as it is where they differ.';

/** A list that is given names something. */
function some<T>(columns: Value<T>): Value<T> {
  return {
    ...columns,
    read: (reader, key) => {
      const given = reader.value(key);
      if (Array.isArray(given) && given.length === 0)
        reader.wrong(key, `"${key}" must name at least one column`);
      return columns.read(reader, key);
    },
  };
}

const VERIFY_MAP = map(
  WORDS,
  {
    key: some(names('Columns that identify a row. Default: the `key` of the load.', { min: 1 })),
    columns: some(names('Columns to compare. Default: all that the rows and the target have.', { min: 1 })),
    sample: COMPARING.sample,
    differences_max: COMPARING.differences_max,
    on_difference: oneOf(
      'What follows where rows of the target differ or are missing: `fail` the step, `warn`, `reload` them, which merges them by `key` and compares once more, or keep them as dead letters (`dead_letter`), whose replay loads them again.',
      ON_LOADED,
      { default: 'fail' },
    ),
  },
  {
    make: ({ key, columns, sample, differences_max, on_difference }): LoadVerify => ({
      key,
      columns,
      sample,
      differencesMax: differences_max,
      onDifference: on_difference,
    }),
  },
);

const USUAL: LoadVerify = {
  key: null,
  columns: null,
  sample: null,
  differencesMax: 100,
  onDifference: 'fail',
};

/** `verify: true`, or `verify: {key, columns, …}`. */
export const LOAD_VERIFY: Value<LoadVerify | null> = special(
  WORDS,
  (options) => ({ anyOf: [{ type: 'boolean' }, VERIFY_MAP.schema(options)] }),
  (reader, key) => {
    const value = reader.value(key);
    if (isRecord(value)) return readMapOf(reader.check, value, reader.at(key), VERIFY_MAP);
    reader.typed(key, 'true or a map', (given) => typeof given === 'boolean');
    return value === true ? USUAL : null;
  },
);

const OTHER_ROWS: Readonly<Record<string, string>> = {
  delete: '"mode" is delete, which loads no rows',
  insert_only: '"mode" is insert_only, which leaves rows as they are that the target has already',
  scd2: '"mode" is scd2, whose target has the versions of a row',
};

/** Which loads can be compared, and by what. */
export const VERIFIED_LOAD: Rule = {
  check: (reader) => {
    const given = reader.value('verify');
    if (given === null || given === false) return;
    const mode = reader.value('mode') ?? 'append';
    if (typeof mode === 'string' && mode in OTHER_ROWS) {
      reader.idle('verify', OTHER_ROWS[mode] ?? '');
      return;
    }
    const own = isRecord(given) ? (given['key'] ?? null) : null;
    if (own === null && !reader.has('key'))
      reader.wrong('verify', '"verify" needs the columns that identify a row: verify: { key: [id] }');
    const type = connectorOf(reader);
    if (!isRecord(given) || given['on_difference'] !== 'reload' || type === null) return;
    if (!type.writeModes.includes('merge'))
      reader.check.add(
        reader.at('verify', 'on_difference'),
        `${withArticle(type.type)} connector cannot load with mode "merge", by which "reload" writes`,
      );
  },
  schemas: () => [when(is('mode', ...Object.keys(OTHER_ROWS)), without('verify'))],
};
