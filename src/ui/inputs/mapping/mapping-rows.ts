import { listOf, objectOf, type WidgetConfig } from '../../kit/widget/widget-config.ts';
import type { OptionSearch } from '../field/form-schema.ts';

/** A row in the editor. The id is local to the page: it stays the same when the row moves. */
export interface MappingRow {
  readonly id: number;
  readonly source: string;
  readonly target: string;
  /** Its expression; empty: none, or none that this viewer sees. */
  readonly transform: string;
}

/** What is edited of a row. */
export type MappingPart = 'source' | 'target' | 'transform';

interface RowPayload {
  readonly source_field?: unknown;
  readonly target_field?: unknown;
  readonly transform?: unknown;
  readonly has_transform?: unknown;
}

export interface MappingPayload {
  readonly schema: WidgetConfig;
  readonly rows: unknown;
  readonly version: number;
  readonly readonly: boolean;
  readonly reason: string | null;
}

/** How the options of one side are searched; null if the side takes any text. */
export type SideSearch = OptionSearch | null;

export interface MappingParts {
  readonly rows: readonly MappingRow[];
  readonly version: number;
  readonly transformed: ReadonlySet<string>;
  /** Whether rows have expressions that this viewer sees and edits. */
  readonly hasTransforms: boolean;
  readonly source: SideSearch;
  readonly target: SideSearch;
}

/** Reads a mapping's payload. Throws `PayloadError`. */
export function readMapping(data: unknown): MappingParts {
  const payload = objectOf<MappingPayload>(data, 'a field mapping');
  return {
    rows: readRows(payload.rows),
    version: payload.version ?? 0,
    transformed: transformedPairs(payload.rows),
    hasTransforms: payload.schema?.['allow_transform'] === true,
    source: searchOf(payload.schema?.['source']),
    target: searchOf(payload.schema?.['target']),
  };
}

function searchOf(side: unknown): SideSearch {
  if (typeof side !== 'object' || side === null) return null;
  return ((side as { search?: OptionSearch }).search ?? 'none') as OptionSearch;
}

/** Reads the saved rows. Throws `PayloadError`. */
export function readRows(rows: unknown): readonly MappingRow[] {
  return payloadRows(rows).map((row, id) => ({
    id,
    source: textOr(row.source_field),
    target: textOr(row.target_field),
    transform: textOr(row.transform),
  }));
}

/** The pairs whose values the server transforms. A public payload does not say how. */
export function transformedPairs(rows: unknown): ReadonlySet<string> {
  const transformed = payloadRows(rows).filter(
    (row) => row.has_transform === true || textOr(row.transform) !== '',
  );
  return new Set(transformed.map((row) => pairOf(textOr(row.source_field), textOr(row.target_field))));
}

function payloadRows(rows: unknown): readonly RowPayload[] {
  return listOf(rows as readonly RowPayload[] | null | undefined, 'a list of rows');
}

function textOr(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function pairOf(source: string, target: string): string {
  return JSON.stringify([source, target]);
}

/** The rows to send. Where the viewer sees no expressions, they are left out, and the server keeps that of each pair. */
export function rowsToSend(
  rows: readonly MappingRow[],
  { hasTransforms }: Pick<MappingParts, 'hasTransforms'>,
): readonly object[] {
  return rows.map(({ source, target, transform }) => ({
    source_field: source,
    target_field: target,
    ...(hasTransforms && { transform: transform.trim() === '' ? null : transform }),
  }));
}

export function isSameMapping(one: readonly MappingRow[], other: readonly MappingRow[]): boolean {
  return (
    one.length === other.length &&
    one.every((row, at) => {
      const { source, target, transform } = other[at] ?? {};
      return row.source === source && row.target === target && row.transform === transform;
    })
  );
}

export function addRow(rows: readonly MappingRow[]): readonly MappingRow[] {
  const id = Math.max(-1, ...rows.map((row) => row.id)) + 1;
  return [...rows, { id, source: '', target: '', transform: '' }];
}

/** A copy with the row moved; the same rows if `to` is out of range. */
export function moveRow(rows: readonly MappingRow[], from: number, to: number): readonly MappingRow[] {
  const row = rows[from];
  if (row === undefined || to < 0 || to >= rows.length) return rows;
  const rest = rows.filter((_, at) => at !== from);
  return [...rest.slice(0, to), row, ...rest.slice(to)];
}

/** The targets of more than one row. */
export function duplicateTargets(rows: readonly MappingRow[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { target } of rows) {
    if (target === '') continue;
    if (seen.has(target)) twice.add(target);
    seen.add(target);
  }
  return twice;
}
