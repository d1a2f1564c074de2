import type { Problem } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { parseExpression } from '../../language/expression/parse-expression.ts';
import type { MappedField } from '../ops/field-mapping.ts';

/** Fields of one mapping. */
export const MAPPING_ROWS_MAX = 2_000;

/** The rows of a `field_mapping` entry of `job_config`, their transforms compiled; what is wrong is added to `problems`. */
export function readMapping(key: string, value: unknown, problems: Problem[]): MappedField[] {
  const path = `job_config.${key}`;
  if (!Array.isArray(value)) {
    problems.push({ path, message: `The configuration entry "${key}" is not a field mapping` });
    return [];
  }
  if (value.length > MAPPING_ROWS_MAX) {
    problems.push({ path, message: `The field mapping "${key}" has more than ${MAPPING_ROWS_MAX} rows` });
    return [];
  }
  const targets = new Set<string>();
  return value.flatMap((row: unknown, i): MappedField[] => {
    const at = `${path}[${i}]`;
    const source = isRecord(row) ? row['source_field'] : undefined;
    const target = isRecord(row) ? row['target_field'] : undefined;
    if (typeof source !== 'string' || typeof target !== 'string' || target === '' || target === '__proto__') {
      problems.push({
        path: at,
        message: `Row ${i + 1} of the field mapping "${key}" needs a source and a target field`,
      });
      return [];
    }
    if (targets.has(target)) {
      problems.push({
        path: at,
        message: `The field mapping "${key}" has the target field "${target}" twice`,
      });
      return [];
    }
    targets.add(target);
    const text = isRecord(row) ? (row['transform'] ?? null) : null;
    if (typeof text !== 'string' || text.trim() === '') return [{ source, target, transform: null }];
    const parsed = parseExpression(text);
    if (parsed.ok) return [{ source, target, transform: parsed.expression }];
    problems.push({
      path: `${at}.transform`,
      message: `The transform of "${target}": ${parsed.problem.message}`,
    });
    return [];
  });
}
