import { isRecord } from '../../base/json.ts';
import { DIFFERENCES_LISTED_MAX, type RowDifference, type Verification } from '../../base/run-report.ts';
import { count } from './scalars.ts';

const KINDS = ['differing', 'missing', 'surplus'] as const;
const COUNTS = [
  'rows_source',
  'rows_target',
  'differing',
  'missing',
  'surplus',
  'settled',
  'reloaded',
] as const;

/** What a comparison has found, of what an executor says; nothing where it says none. `VALIDATION_ERROR` for counts that are none. */
export function verificationOf(given: unknown): { readonly verification?: Verification } {
  if (!isRecord(given)) return {};
  const counts = Object.fromEntries(COUNTS.map((name) => [name, count(given[name], `verification.${name}`)]));
  const { source, target, equal, sample, digested } = given;
  const from = isRecord(digested) ? digested : {};
  return {
    verification: {
      ...(counts as Record<(typeof COUNTS)[number], number>),
      source: String(source),
      target: String(target),
      equal: equal === true,
      sample: typeof sample === 'number' ? sample : null,
      columns: records(given['columns']).map(({ column, differing }) => ({
        column: String(column),
        differing: count(differing, 'verification.columns'),
      })),
      left_out: listOf(given['left_out']).map(String),
      digested: { source: placeOf(from['source']), target: placeOf(from['target']) },
      differences: records(given['differences']).slice(0, DIFFERENCES_LISTED_MAX).map(differenceOf),
    },
  };
}

function differenceOf({ kind, key, columns }: Readonly<Record<string, unknown>>): RowDifference {
  const cells = isRecord(key) ? Object.entries(key) : [];
  return {
    kind: KINDS.find((known) => known === kind) ?? 'differing',
    key: Object.fromEntries(cells.map(([name, value]) => [name, cellOf(value)])),
    columns: records(columns).map(({ column, source, target }) => ({
      column: String(column),
      source: cellOf(source),
      target: cellOf(target),
    })),
  };
}

function placeOf(value: unknown): 'engine' | 'rows' {
  return value === 'engine' ? 'engine' : 'rows';
}

function cellOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function records(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return listOf(value).filter(isRecord);
}
