import { z } from 'zod';
import { FILES_ARGS, onlyFileView, readFilter } from '../files/read-args.ts';
import { refineStorage, STORAGE_KEYS, storagePath } from '../files/storage/storage-config.ts';

const NAME = /^[\p{L}_][\p{L}\p{N}_.-]*(?::[\p{L}_][\p{L}\p{N}_.-]*)?$/u;

const records = z
  .string()
  .max(1_000)
  .refine(
    (path) => path.split('/').every((name) => NAME.test(name)),
    'Write the names of the elements that lead to a row with / between, such as "catalog/book"',
  )
  .describe(
    'The row element: its path from the root, such as `catalog/book`, or just its name, at any depth.',
  )
  .meta({ examples: ['catalog/book'] });
const namespaces = z
  .record(
    z.string().regex(/^[\p{L}_][\p{L}\p{N}_.-]*$/u, 'This is not a valid prefix'),
    z.string().min(1).max(2_000),
  )
  .describe('Namespaces of the prefixes in `records`. Names without a prefix match any namespace.')
  .meta({ examples: [{ m: 'http://example.com/model' }] });

export const xmlConfig = z
  .strictObject({
    path: storagePath('An XML file', 'data/books.xml'),
    records,
    namespaces: namespaces.default({}),
    ...STORAGE_KEYS,
  })
  .superRefine(refineStorage)
  .superRefine(({ records, namespaces }, context) => {
    for (const [, prefix = ''] of records.matchAll(/(?:^|\/)([^/:]+):/g))
      if (!Object.hasOwn(namespaces, prefix))
        context.addIssue({
          code: 'custom',
          path: ['namespaces'],
          message: `"namespaces" has no "${prefix}", which "records" uses`,
        });
  });
export type XmlConfig = z.output<typeof xmlConfig>;

export const xmlReadArgs = z.strictObject({
  ...FILES_ARGS,
  columns: z
    .array(z.string())
    .min(1, 'Name at least one column, or omit "columns"')
    .optional()
    .describe('Columns to read, in this order. Default: all.'),
  filter: readFilter.optional(),
});

export const xmlPageOf = (args: unknown) => onlyFileView(xmlReadArgs, args);
