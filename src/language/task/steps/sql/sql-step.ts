import { isRecord } from '../../../../base/json.ts';
import { didYouMeanOneOf } from '../../../../base/text/suggest-name.ts';
import { map, readMapOf } from '../../../declare/map.ts';
import { alwaysIdle, type Rule } from '../../../declare/rules.ts';
import type { Value } from '../../../declare/value.ts';
import { authorsMap, oneOf, text } from '../../../declare/values.ts';
import type { Template } from '../../../expression/template-string.ts';
import { readTemplate } from '../../../yaml/expression-reader.ts';
import { MapReader } from '../../../yaml/map-reader.ts';
import { TASK_NAMES } from '../../../yaml/scope-names.ts';
import { CAST_TYPES, type CastType } from '../../cast/cast-type.ts';
import { NO_RETRY } from '../../retry-policy.ts';
import { type StepOf, stepKind } from '../step-kind.ts';
import { checkQuery } from './query-check.ts';

export type SqlStep = StepOf<typeof sqlStep>;

/** A table of the query. */
export interface SqlInput {
  /** The table's name. */
  readonly name: string;
  /** The step whose rows it holds. */
  readonly step: string;
  /** Types that the document gives; the others come with the rows. */
  readonly columns: Readonly<Record<string, CastType>>;
  /** Where the document names the step, from the step on. */
  readonly keys: readonly string[];
}

const QUERY_CHARS_MAX = 50_000;
const INPUTS_MAX = 50;
const STEP = text('The step that provides the rows of the table.', { required: true });
const TYPE = oneOf('The type of the column.', CAST_TYPES, { required: true });

const COLUMNS = authorsMap(
  'Column types, such as `amount: decimal`. Default: the types of the incoming rows. Needed if there may be no rows and the source does not declare its columns.',
  { enum: [...CAST_TYPES] },
  (reader, key) => {
    const columns = new MapReader(reader.check, Object.fromEntries(reader.entries(key)), reader.at(key));
    return Object.fromEntries(Object.keys(columns.map).map((name) => [name, TYPE.read(columns, name)]));
  },
);
const INPUT = map('A step and its column types.', { step: STEP, columns: COLUMNS });

/** `inputs`: tables by their names, each a step or a map with `step`. */
const NAMED_INPUTS = authorsMap<readonly SqlInput[]>(
  'The tables of the query, as `name: step`: each contains the rows of an earlier step. Or `name: {step, columns}`, with column types.',
  (options) => ({ anyOf: [{ type: 'string', minLength: 1 }, INPUT.schema(options)] }),
  readInputs,
  'word',
);
const INPUTS: Value<readonly SqlInput[]> = {
  ...NAMED_INPUTS,
  required: true,
  schema: (options) => ({ ...NAMED_INPUTS.schema(options), minProperties: 1, maxProperties: INPUTS_MAX }),
};

function readInputs(reader: MapReader, key: string): readonly SqlInput[] {
  const entries = reader.entries(key, 'word');
  if (entries.length === 0 && (!reader.has(key) || isRecord(reader.value(key))))
    reader.wrong(key, `"${key}" is required: the tables of the query, as name: step`);
  if (entries.length > INPUTS_MAX) reader.wrong(key, `"${key}" has more than ${INPUTS_MAX} tables`);
  const folded = new Map<string, string>();
  return entries.slice(0, INPUTS_MAX).flatMap(([name, value]): SqlInput[] => {
    const other = folded.get(name.toLowerCase());
    if (other !== undefined)
      reader.check.add(reader.at(key, name), `"${other}" and "${name}" are the same table in SQL`, 'key');
    folded.set(name.toLowerCase(), name);
    const path = reader.at(key, name);
    if (typeof value === 'string' && value !== '')
      return [{ name, step: value, columns: {}, keys: [key, name] }];
    if (!isRecord(value)) {
      reader.check.add(path, `"${name}" must be the id of a step, or a map with "step"`);
      return [];
    }
    const read = readMapOf(reader.check, value, path, INPUT);
    return read === null ? [] : [{ name, ...read, keys: [key, name, 'step'] }];
  });
}

/** `params`: values by the names under which the query reads them. */
const PARAMS: Value<Readonly<Record<string, Template>>> = authorsMap(
  'Query parameters, read as `$name`: texts, numbers, true, false or null; texts may hold `{{ expression }}`.',
  { type: ['string', 'number', 'boolean', 'null'] },
  (reader, key) =>
    Object.fromEntries(
      reader.entries(key, 'word').map(([name, value]) => {
        const path = reader.at(key, name);
        if (typeof value === 'object' && value !== null)
          reader.check.add(path, `"${name}" must be a single value, not a list or a map`);
        return [name, readTemplate(reader.check, value, path, TASK_NAMES)];
      }),
    ),
  'word',
);

/** One SELECT, whose parameters are those that it is given. */
const FITTING_QUERY: Rule = {
  check: (reader) => {
    const query = reader.value('query');
    if (typeof query !== 'string' || reader.check.isPlaceholder(query)) return;
    const { problem, parameters } = checkQuery(query);
    if (problem !== null) return void reader.wrong('query', problem);
    const given = reader.entries('params').map(([name]) => name);
    const used = new Set(parameters.map(({ name }) => name));
    for (const { name, line } of parameters) {
      if (given.includes(name)) continue;
      const hint = didYouMeanOneOf(name, given, '"params" has');
      reader.wrong('query', `There is no "$${name}" in "params" (line ${line} of the query)${hint}`);
    }
    for (const name of given)
      if (!used.has(name))
        reader.check.add(
          reader.at('params', name),
          `"${name}" has no effect: the query does not read $${name}`,
          'key',
        );
  },
  schemas: () => [],
};

/** `sql`: rows of steps into rows, by a query. */
export const sqlStep = stepKind({
  kind: 'sql',
  words:
    'Joins, aggregates and reshapes rows of other steps with one SELECT in DuckDB, inside the runner: no access to files, network or settings; spills to disk beyond its memory. Starts when its inputs have finished.',
  atOnce: 'the engine of queries uses the processors by itself',
  takesRows: false,
  givesRows: true,
  retry: NO_RETRY,
  keys: {
    inputs: INPUTS,
    query: text(
      'One SELECT over the tables of `inputs`, in DuckDB SQL. It cannot contain `{{ expression }}`.',
      {
        required: true,
        charsMax: QUERY_CHARS_MAX,
      },
    ),
    params: PARAMS,
  },
  rules: [FITTING_QUERY, alwaysIdle(['on_error'], 'a query fails as a whole')],
  sources: ({ inputs }) => inputs,
});
