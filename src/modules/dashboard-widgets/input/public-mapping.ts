import { type Problem, validationError } from '../../../base/errors.ts';
import { isRecord } from '../../../base/json.ts';

/**
 * The rows of a mapping that a stranger sends, with the expressions that are saved for the same pairs of fields. `VALIDATION_ERROR`
 * for a row with an expression of its own. What is no row stays as it is, for the check to refuse.
 */
export function keepTransforms(value: unknown, saved: unknown, entryKey: string): unknown {
  if (!Array.isArray(value)) return value;
  const kept = transformsOf(saved);
  const problems: Problem[] = [];
  const rows = value.map((row: unknown, index) => {
    if (!isRecord(row)) return row;
    const { has_transform: _shown, ...own } = row;
    if ((own['transform'] ?? null) !== null) {
      const message = 'An expression cannot be set here: leave "transform" out, and the saved one stays';
      problems.push({ path: `${entryKey}[${index}].transform`, message });
    }
    return { ...own, transform: kept.get(pairOf(row)) ?? null };
  });
  if (problems.length > 0) throw validationError(problems);
  return rows;
}

/** Rows as a stranger may see them: that there is an expression, never which. */
export function hideTransforms(rows: unknown): unknown {
  if (!Array.isArray(rows)) return rows;
  return rows.map((row: unknown) => {
    if (!isRecord(row)) return row;
    return { ...row, transform: null, ...((row['transform'] ?? null) !== null && { has_transform: true }) };
  });
}

function transformsOf(saved: unknown): ReadonlyMap<string, unknown> {
  const rows = Array.isArray(saved) ? saved.filter(isRecord) : [];
  return new Map(rows.map((row) => [pairOf(row), row['transform']]));
}

function pairOf(row: Readonly<Record<string, unknown>>): string {
  return JSON.stringify([row['source_field'], row['target_field']]);
}
