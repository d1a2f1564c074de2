import { z } from 'zod';
import type { ResourceView } from '../driver.ts';

/** The `filter` of a file's `read`. */
export const readFilter = z
  .record(z.string(), z.unknown())
  .describe('Equality or operators per column: `{"city": "Bonn", "age": {"gte": 18}}`. Default: all rows.');

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
