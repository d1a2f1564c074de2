import { isRecord } from '../../../../base/json.ts';
import { has, is, when, without } from '../../../declare/json-schema.ts';
import { map, readMapOf, submap } from '../../../declare/map.ts';
import type { Rule } from '../../../declare/rules.ts';
import { special, type Value } from '../../../declare/value.ts';
import { name, oneOf } from '../../../declare/values.ts';

const COLUMN_POLICIES = ['evolve', 'freeze', 'discard_value', 'discard_row'] as const;

const TYPE_POLICIES = ['evolve', 'freeze', 'variant', 'discard_row'] as const;

export const ON_CHANGE = ['continue', 'pause_trigger', 'notify'] as const;

/** Columns for values of other types are new ones. */
const VARIANT_COLUMNS: Rule = {
  check: (reader) => {
    const columns = reader.value('columns') ?? 'evolve';
    if (reader.value('types') === 'variant' && columns !== 'evolve' && reader.has('columns'))
      reader.wrong('types', `"variant" adds columns, and "columns" is ${columns}; use freeze or discard_row`);
  },
  schemas: () => [when(is('types', 'variant'), { properties: { columns: { enum: ['evolve', null] } } })],
};

/** The columns of the target never change then. */
const CHANGING: Rule = {
  check: (reader) => {
    const columns = reader.value('columns') ?? 'evolve';
    if (columns !== 'evolve' && reader.value('types') !== 'evolve')
      reader.idle(
        'on_change',
        `"columns" is ${String(columns)} and "types" is not evolve, so no column changes`,
      );
  },
  schemas: () => [
    when(
      { ...is('columns', 'freeze', 'discard_value', 'discard_row'), not: is('types', 'evolve') },
      without('on_change'),
    ),
  ],
};

/** `schema`: what becomes of columns that the target lacks, and of values that are not of its types. */
export const SCHEMA = submap(
  map(
    'What happens when the rows do not match the target’s schema.',
    {
      columns: oneOf(
        'Columns missing in the target: `evolve` adds them; `freeze` fails the load; `discard_value` drops them; `discard_row` rejects rows with a value in one, for `on_error`.',
        COLUMN_POLICIES,
        { default: 'evolve' },
      ),
      types: oneOf(
        'Values that do not fit the type of the target column: `evolve` widens the column within its kind (numbers stay numbers, times stay times) and rejects rows whose values fit no wider type; `freeze` fails the load; `variant` writes them as text to the column `<name>__variant`, added if missing; `discard_row` rejects their rows, for `on_error`. Text that parses as the type fits. Default: the target decides.',
        TYPE_POLICIES,
      ),
      on_change: oneOf(
        'What follows when the load adds columns to a target that was there before, or gives its columns wider types: `continue` lists the changes in the record of the run; `pause_trigger` also pauses the trigger that started the run; `notify` also sends the event `schema.changed`. Default: wider types are listed, and added columns are not looked for.',
        ON_CHANGE,
      ),
    },
    { rules: [VARIANT_COLUMNS, CHANGING] },
  ),
);

/** Names of the columns that a load adds to its rows; null for what it does not add. */
export interface AuditColumns {
  readonly runId: string | null;
  readonly loadedAt: string | null;
}

const AUDIT_USUAL: AuditColumns = { runId: '_run_id', loadedAt: '_loaded_at' };
const AUDIT_WORDS =
  'Lineage columns in the target: `true` for `_run_id` and `_loaded_at`, or a map of the wanted ones with their names.';

const AUDIT_MAP = map(
  AUDIT_WORDS,
  {
    run_id: name('Column for the id of the run that wrote the row.', 'word'),
    loaded_at: name('Column for the start time of that load, in UTC.', 'word'),
  },
  {
    rules: [
      {
        check: (reader) => {
          const at = reader.value('loaded_at');
          if (at !== null && at === reader.value('run_id'))
            reader.wrong('loaded_at', `"${at}" is the column of the run id; choose another name`);
        },
        schemas: () => [],
      },
    ],
    make: ({ run_id, loaded_at }): AuditColumns => ({ runId: run_id, loadedAt: loaded_at }),
  },
);

/** `audit: true`, or `audit: {run_id, loaded_at}`. */
export const AUDIT: Value<AuditColumns | null> = special(
  AUDIT_WORDS,
  (options) => ({ anyOf: [{ type: 'boolean' }, AUDIT_MAP.schema(options)] }),
  (reader, key) => {
    const value = reader.value(key);
    if (isRecord(value)) return readMapOf(reader.check, value, reader.at(key), AUDIT_MAP);
    reader.typed(key, 'true or a map of names', (given) => typeof given === 'boolean');
    return value === true ? AUDIT_USUAL : null;
  },
);

const DISCARDING = ['columns', 'types'] as const;

/** Rows that are left out are counted, and kept or not, by `on_error`. */
export const DISCARDED_ROWS: Rule = {
  check: (reader) => {
    const schema = reader.value('schema');
    if (!isRecord(schema)) return;
    const given = reader.value('on_error');
    const action = isRecord(given) ? given['action'] : given;
    if (action === 'skip' || action === 'dead_letter') return;
    for (const key of DISCARDING) {
      if (schema[key] !== 'discard_row') continue;
      reader.check.add(
        reader.at('schema', key),
        '"discard_row" needs "on_error": skip or dead_letter decides what happens to the rows',
      );
    }
  },
  schemas: () => [
    when(
      {
        required: ['schema'],
        properties: {
          schema: { type: 'object', anyOf: DISCARDING.map((key) => is(key, 'discard_row')) },
        },
      },
      {
        ...has('on_error'),
        properties: {
          on_error: {
            anyOf: [
              { enum: ['skip', 'dead_letter'] },
              { ...is('action', 'skip', 'dead_letter'), type: 'object' },
            ],
          },
        },
      },
    ),
  ],
};
