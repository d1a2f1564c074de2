import { z } from 'zod';

const param = z.string().min(1, 'Give the name of a parameter').max(200);
const place = z
  .string()
  .max(500)
  .regex(/^[^.]+(\.[^.]+)*$/, 'Write the keys that lead to the value with dots between, such as "meta.next"');
const size = { size_param: param.optional(), size: z.int().min(1).max(100_000).default(100) };
const words = {
  ...size,
  size_param: size.size_param.describe('Parameter for the page size; default: not sent.'),
  size: size.size.describe('Records per page.'),
};

const max_pages = z
  .int()
  .min(1)
  .max(10_000_000)
  .default(100_000)
  .describe('Maximum pages per read; more are an error.');

/** Pagination of a list. `paginate` of a resource or of the arguments of `list`. */
export const paging = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('none').describe('A single page.') }),
    z.strictObject({
      type: z.literal('page').describe('Numbered pages.'),
      page_param: param.default('page').describe('Parameter for the number.'),
      first: z.int().min(0).max(1).default(1).describe('Number of the first page.'),
      ...words,
      pages_path: place
        .optional()
        .describe('Path of the page count in a response. Default: an empty page ends the list.'),
      max_pages,
    }),
    z.strictObject({
      type: z.literal('offset').describe('Offset pagination.'),
      offset_param: param.default('offset').describe('Parameter for the number.'),
      size_param: param.default('limit').describe('Parameter for the page size.'),
      size: words.size,
      total_path: place
        .optional()
        .describe('Path of the record count in a response. Default: an empty page ends the list.'),
      max_pages,
    }),
    z.strictObject({
      type: z.literal('cursor').describe('Each response contains the cursor of the next page.'),
      cursor_path: place
        .default('next_cursor')
        .describe('Path of the cursor in a response; null, false, empty or missing ends the list.'),
      cursor_param: param.default('cursor').describe('Parameter for it, in the query or a JSON body.'),
      cursor_in: z.enum(['query', 'body']).default('query').describe('Where the parameter goes.'),
      has_more_path: place.optional().describe('Path of a value that is false on the last page.'),
      ...words,
      max_pages,
    }),
    z.strictObject({
      type: z
        .literal('link_header')
        .describe('The header `Link` contains the URL of the next page (RFC 8288).'),
      rel: z.string().min(1).max(100).default('next').describe('Relation of the link.'),
      ...words,
      max_pages,
    }),
    z.strictObject({
      type: z.literal('next_url').describe('Each response contains the URL of the next page.'),
      url_path: place.default('next').describe('Path of the URL in a response.'),
      ...words,
      max_pages,
    }),
    z.strictObject({
      type: z
        .literal('keyset')
        .describe('Keyset pagination: pages start after the last record of the previous page.'),
      field: place.default('id').describe('Field of the last record; its values must be unique.'),
      param: param.default('after').describe('Parameter for its value.'),
      has_more_path: place
        .optional()
        .describe('Path of a value that is false on the last page. Default: an empty page ends the list.'),
      ...words,
      max_pages,
    }),
  ])
  .describe('Pagination of the list. Default: a single page.');
export type Paging = z.output<typeof paging>;
