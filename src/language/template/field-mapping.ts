import { isRecord } from '../../base/json.ts';
import { expression } from '../declare/expressions.ts';
import { has, is, type SchemaOptions, when } from '../declare/json-schema.ts';
import { map, submap } from '../declare/map.ts';
import { onlyBeside, type Rule } from '../declare/rules.ts';
import { special } from '../declare/value.ts';
import { flag, text } from '../declare/values.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import { typeName } from '../yaml/map-reader.ts';
import { OPTIONS_SOURCE, type Outside, optionsSourceMap, withLabel } from './options-source.ts';

const ROWS_MAX = 1_000;

export type FieldMappingEntry = ReturnType<(typeof FIELD_MAPPING)['from']>;

export interface MappingRow {
  readonly source_field: string;
  readonly target_field: string;
  readonly transform: string | null;
}

const BESIDE = ['label_expr', 'value_expr'] as const;

/** For each set of keys that may stand beside the source, the map of the source without them. */
const SOURCES: readonly { readonly outside: readonly Outside[]; readonly of: typeof OPTIONS_SOURCE }[] = [
  { outside: [], of: OPTIONS_SOURCE },
  ...[['label_expr'] as const, ['value_expr'] as const, BESIDE].map((outside) => ({
    outside,
    of: optionsSourceMap(outside),
  })),
];

const SOURCE_OF_SIDE: Rule = {
  check: () => undefined,
  schemas: (options) =>
    SOURCES.map(({ outside, of }) => {
      const inside = BESIDE.filter((key) => !outside.includes(key));
      const stands = [...outside.map(has), ...inside.map((key) => ({ not: has(key) }))];
      const source = outside.length === 0 ? { $ref: '#/$defs/options_source' } : of.schema(options);
      return when({ allOf: [has('options_source'), ...stands] }, { properties: { options_source: source } });
    }),
};

const SIDE = map(
  'Fields to choose from.',
  {
    options_source: special('Where the fields come from.', { type: 'object' }, () => null),
    label_expr: expression('The label of an `item`.', null),
    value_expr: expression('The name of the field in an `item`.', null),
  },
  {
    rules: [onlyBeside(BESIDE, ['options_source']), SOURCE_OF_SIDE],
    make: ({ label_expr, value_expr }, reader) => {
      const outside = BESIDE.filter((key) => reader.has(key)).join();
      const { of } = SOURCES.find((one) => one.outside.join() === outside) ?? { of: OPTIONS_SOURCE };
      const source = submap(of).read(reader, 'options_source');
      const optionsSource = source && withLabel(source, { label_expr, value_expr });
      return { optionsSource, label: label_expr, value: value_expr };
    },
  },
);

const NO_SIDE = { optionsSource: null, label: null, value: null };

/** Rows are also values that the API is given: `rowProblems` reads them. */
const ROW = map('A row of the mapping.', {
  source_field: special('The source field.', { type: 'string', minLength: 1 }, () => null, {
    required: true,
  }),
  target_field: special('The target field.', { type: 'string', minLength: 1 }, () => null, {
    required: true,
  }),
  transform: special(
    'Computes the target value from the source value, `value`. Default: copied unchanged.',
    { type: 'string' },
    () => null,
  ),
});

const ROWS_OF_ENTRY: Rule = {
  check: () => undefined,
  schemas: () => {
    const copied = { properties: { transform: { type: 'null' } } };
    return [when(is('allow_transform', true), {}, { properties: { default: { items: copied } } })];
  },
};

/** A `field_mapping` entry of `job_config`. */
export const FIELD_MAPPING = map(
  'Pairs of source and target fields. The value is a list.',
  {
    type: special('A mapping of fields.', { const: 'field_mapping' }, () => 'field_mapping' as const, {
      required: true,
    }),
    title: text('Heading.'),
    allow_transform: flag('Whether rows may have an expression.'),
    default: special(
      'The initial rows.',
      (options: SchemaOptions) => ({ type: 'array', items: ROW.schema(options), maxItems: ROWS_MAX }),
      (reader, key) => reader.value(key) ?? [],
    ),
    source: submap(SIDE, { words: 'The available source fields.' }),
    target: submap(SIDE, { words: 'The available target fields.' }),
    validation_expr: expression(
      'Validates the rows, `value`: returns true if they are valid, otherwise a message or a list of messages.',
      null,
    ),
  },
  {
    rules: [ROWS_OF_ENTRY],
    make: ({ type, title, allow_transform, source, target, validation_expr, ...read }, reader) => {
      const problems = rowProblems(read.default, allow_transform);
      for (const { path, message } of problems) reader.check.add(reader.at('default', ...path), message);
      return {
        type,
        title,
        allowTransform: allow_transform,
        default: problems.length === 0 ? toMappingRows(read.default) : [],
        source: source ?? NO_SIDE,
        target: target ?? NO_SIDE,
        validation: validation_expr,
      };
    },
  },
);

/** Something wrong with rows, at a path inside them. */
interface RowProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * What is wrong with the rows of a mapping: each is exactly `{source_field, target_field, transform}`, `transform` may be absent
 * for null, and is an expression only where the entry allows it. No target is written twice.
 */
export function rowProblems(value: unknown, allowTransform: boolean): readonly RowProblem[] {
  if (!Array.isArray(value))
    return [{ path: [], message: `The mapping must be a list of rows, not ${typeName(value)}` }];
  if (value.length > ROWS_MAX) return [{ path: [], message: `The mapping has more than ${ROWS_MAX} rows` }];
  const targets = new Set<unknown>();
  return value.flatMap((row: unknown, index) => {
    const problems = isRecord(row)
      ? rowProblem(row, allowTransform)
      : [{ path: [], message: `A row must be a map, not ${typeName(row)}` }];
    const target = isRecord(row) ? row['target_field'] : null;
    if (typeof target === 'string' && target !== '' && targets.has(target)) {
      problems.push({ path: ['target_field'], message: `The target "${target}" is mapped twice; keep one` });
    }
    targets.add(target);
    return problems.map(({ path, message }) => ({ path: [index, ...path], message }));
  });
}

function rowProblem(row: Record<string, unknown>, allowTransform: boolean): RowProblem[] {
  const problems: RowProblem[] = [];
  for (const key of Object.keys(row)) {
    if (!['source_field', 'target_field', 'transform'].includes(key)) {
      problems.push({
        path: [key],
        message: `Unknown key "${key}"; a row has source_field, target_field and transform`,
      });
    }
  }
  for (const key of ['source_field', 'target_field']) {
    const field = row[key];
    // These are read beside the row by people who know no keys.
    const words = `The ${key.replace('_', ' ')}`;
    if (typeof field !== 'string')
      problems.push({ path: [key], message: `${words} must be a text, not ${typeName(field)}` });
    else if (field === '') problems.push({ path: [key], message: `${words} must not be empty` });
  }
  const transform = row['transform'] ?? null;
  if (transform === null) return problems;
  const wrong = transformProblem(transform, allowTransform);
  return wrong === null ? problems : [...problems, { path: ['transform'], message: wrong }];
}

function transformProblem(transform: unknown, allowTransform: boolean): string | null {
  if (typeof transform !== 'string')
    return `"transform" must be an expression or null, not ${typeName(transform)}`;
  if (!allowTransform) return '"transform" must be null: this mapping does not allow expressions';
  const parsed = parseExpression(transform);
  return parsed.ok ? null : `Invalid expression: ${parsed.problem.message}`;
}

/** Checked rows in their stored shape: all three keys, nothing else. */
export function toMappingRows(value: unknown): readonly MappingRow[] {
  return (value as readonly Record<string, unknown>[]).map((row) => ({
    source_field: row['source_field'] as string,
    target_field: row['target_field'] as string,
    transform: (row['transform'] as string | null | undefined) ?? null,
  }));
}
