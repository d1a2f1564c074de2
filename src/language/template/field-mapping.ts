import { isRecord } from '../../base/json.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import { readExpressionKey } from '../yaml/expression-reader.ts';
import { type MapReader, typeName } from '../yaml/map-reader.ts';
import type { FieldMappingEntry, MappingRow, MappingSide } from './job-config.ts';
import { type OptionsContext, readOptionsSource } from './options-source.ts';

export const FIELD_MAPPING_KEYS = {
  keys: ['type', 'title', 'allow_transform', 'default', 'source', 'target', 'validation_expr'],
};

const ROWS_MAX = 1_000;

/** Something wrong with rows, at a path inside them. */
export interface RowProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Reads a `field_mapping` entry of `job_config`. */
export function readFieldMapping(reader: MapReader, context: OptionsContext): FieldMappingEntry {
  const allowTransform = reader.flag('allow_transform');
  const fallback = reader.value('default') ?? [];
  const problems = rowProblems(fallback, allowTransform);
  for (const problem of problems) reader.check.add(reader.at('default', ...problem.path), problem.message);
  return {
    type: 'field_mapping',
    title: reader.text('title'),
    allowTransform,
    default: problems.length === 0 ? toMappingRows(fallback) : [],
    source: readSide(reader, 'source', context),
    target: readSide(reader, 'target', context),
    validation: readExpressionKey(reader, 'validation_expr', null),
  };
}

function readSide(reader: MapReader, key: string, context: OptionsContext): MappingSide {
  const side = reader.submap(key, { keys: ['options_source', 'label_expr', 'value_expr'] });
  if (side === null) return { optionsSource: null, label: null, value: null };
  if (!side.has('options_source')) {
    for (const name of ['label_expr', 'value_expr'])
      side.idle(name, 'there is no "options_source" beside it');
  }
  const label = readExpressionKey(side, 'label_expr', null);
  const value = readExpressionKey(side, 'value_expr', null);
  return { optionsSource: readOptionsSource(side, context, { label, value }), label, value };
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
    if (typeof field !== 'string')
      problems.push({ path: [key], message: `"${key}" must be a text, not ${typeName(field)}` });
    else if (field === '') problems.push({ path: [key], message: `"${key}" must not be empty` });
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
