import { z } from 'zod';
import type { ResourceView } from '../driver.ts';

/** The `filter` of a file's `read`. */
export const readFilter = z
  .record(z.string(), z.unknown())
  .describe('Equality or operators per column: `{"city": "Bonn", "age": {"gte": 18}}`. Default: all rows.');

const columnName = z.string().min(1, 'Give a name');

/** The arguments of `read` that say which files: one, or all that match a pattern. */
export const FILES_ARGS = {
  file: z
    .string()
    .min(1, 'Give the name of a file')
    .optional()
    .describe('Name of the file, when the connector is a folder.'),
  files: z
    .string()
    .min(1, 'Give a pattern of file names')
    .optional()
    .describe(
      'Pattern of the files to read in order of name: `*`, `?`, `[a-z]`, `{a,b}`, and `**` for any folders.',
    )
    .meta({ examples: ['2026/*.csv'] }),
  file_column: columnName
    .optional()
    .describe('Column to add, with the name of the row’s file. For `files`, or a single-file connector.'),
  modified_column: columnName
    .optional()
    .describe(
      'Column to add, with the file’s modification time. With a cursor or filter on it, only matching files are opened.',
    ),
  partition_columns: z
    .boolean()
    .optional()
    .describe(
      'Adds the partition columns from each file’s folders, such as `day` of `day=2026-01-31/`, as text. For `files`; with a filter on them, only matching files are opened.',
    ),
};

export interface FilesArgs {
  readonly file?: string | undefined;
  readonly files?: string | undefined;
  readonly file_column?: string | undefined;
  readonly modified_column?: string | undefined;
  readonly partition_columns?: boolean | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly filter?: Readonly<Record<string, unknown>> | undefined;
}

/** Whether the arguments ask for more than the rows of one file. */
export function asksForFiles({ files, file_column, modified_column, partition_columns }: FilesArgs): boolean {
  return (files ?? file_column ?? modified_column) !== undefined || partition_columns === true;
}

interface FileRead {
  readonly file?: string | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly filter?: Readonly<Record<string, unknown>> | undefined;
}

/** What a `read` with these arguments reads of a file, or null where they say how the file is to be read. */
export function onlyFileView(schema: z.ZodType<FileRead>, args: unknown): ResourceView | null {
  const parsed = schema.safeParse(args ?? {});
  if (!parsed.success) return null;
  const { file, columns, filter, ...how } = parsed.data;
  if (Object.values(how).some((value) => value !== undefined)) return null;
  return {
    resource: file ?? '',
    ...(columns === undefined ? {} : { columns }),
    ...(filter === undefined ? {} : { filter }),
  };
}
