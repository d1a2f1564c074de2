import { z } from 'zod';
import type { ResourceView } from '../driver.ts';
import { FILES_ARGS, onlyFileView, readFilter } from '../files/read-args.ts';
import { refineStorage, STORAGE_KEYS, storagePath } from '../files/storage/storage-config.ts';
import { type CellRange, cellRange } from './workbook/cell-range.ts';

const sheet = z
  .union([z.string().min(1, 'Give the name of a sheet'), z.int().min(1, 'Sheets are counted from 1')])
  .describe(
    'Name of the sheet (one of digits in quotes), or its position, starting at 1. Default: the first visible one.',
  );
const header = z
  .boolean()
  .describe('Whether the first row contains the column names. Without it they are `column_1`, `column_2`, …');
const skipRows = z
  .int()
  .min(0)
  .max(1_048_576)
  .describe('Rows above the header to skip, such as a title. Empty rows are skipped anyway.');
const range = z
  .string()
  .refine((text) => cellRange(text) !== null, 'Write a range of cells like "B3:F200", "B3" or "B:F"')
  .describe('Cells to read, such as `B3:F200`; `B3` means everything from there, `B:F` whole columns.')
  .meta({ examples: ['B3:F200'] });

function refusePlaces(
  given: { readonly skip_rows?: number | undefined; readonly range?: string | undefined },
  context: z.core.$RefinementCtx,
): void {
  if (given.skip_rows === undefined || given.range === undefined) return;
  const message = 'Set either "skip_rows" or "range", which says where the header is';
  context.addIssue({ code: 'custom', path: ['skip_rows'], message });
}

export const excelConfig = z
  .strictObject({
    path: storagePath('An Excel workbook (.xlsx, .xlsm)', 'data/orders.xlsx'),
    sheet: sheet.optional(),
    header: header.default(true),
    skip_rows: skipRows.optional(),
    range: range.optional(),
    ...STORAGE_KEYS,
  })
  .superRefine(refineStorage)
  .superRefine(refusePlaces);
export type ExcelConfig = z.output<typeof excelConfig>;

export const excelReadArgs = z
  .strictObject({
    ...FILES_ARGS,
    sheet: sheet.optional(),
    header: header.optional(),
    skip_rows: skipRows.optional(),
    range: range.optional(),
    columns: z
      .array(z.string())
      .min(1, 'Name at least one column, or omit "columns"')
      .optional()
      .describe('Columns to read, in this order. Default: all.'),
    filter: readFilter.optional(),
  })
  .superRefine(refusePlaces);
export type ExcelReadArgs = z.output<typeof excelReadArgs>;

/** Configuration and arguments, settled. */
export interface ExcelOptions {
  /** Name or position from 1; null for the first visible one. */
  readonly sheet: string | number | null;
  readonly header: boolean;
  readonly range: CellRange;
  readonly columns: readonly string[] | null;
}

export function excelOptions(config: ExcelConfig, args: ExcelReadArgs): ExcelOptions {
  const place = (args.skip_rows ?? args.range) === undefined ? config : args;
  return {
    sheet: args.sheet ?? config.sheet ?? null,
    header: args.header ?? config.header,
    range: cellRange(place.range ?? `A${(place.skip_rows ?? 0) + 1}`) as CellRange,
    columns: args.columns ?? null,
  };
}

/** Between the name of a workbook and that of its sheet. */
const SHEET_MARK = '#';

/** A sheet of a workbook as a resource: `orders.xlsx#Prices`, or `#Prices` of the only workbook. */
export function sheetResource(file: string | undefined, sheet: string): string {
  return `${file ?? ''}${SHEET_MARK}${sheet}`;
}

/** The workbook and the sheet that a resource names; either is undefined where it does not. */
export function placeOfResource(resource: string): { file: string | undefined; sheet: string | undefined } {
  const [, file, sheet] = /^(|.*\.xls[xm])#(.+)$/is.exec(resource) ?? [undefined, resource, undefined];
  return { file: file === '' ? undefined : file, sheet };
}

/** A page reads a sheet as the configuration says, so that a call which says otherwise has none. */
export function excelPageOf(args: unknown): ResourceView | null {
  const { sheet, ...rest } = (args ?? {}) as Record<string, unknown>;
  if (sheet !== undefined && typeof sheet !== 'string') return null;
  const view = onlyFileView(excelReadArgs, rest);
  if (view === null || sheet === undefined) return view;
  return { ...view, resource: sheetResource(view.resource, sheet) };
}
