import { z } from 'zod';

const param = z.string().min(1, 'Give the name of a parameter').max(200);
const place = z
  .string()
  .max(500)
  .regex(/^[^.]+(\.[^.]+)*$/, 'Write the keys that lead to the value with dots between, such as "meta.next"');
const size = { size_param: param.optional(), size: z.int().min(1).max(100_000).default(100) };
const words = {
  ...size,
  size_param: size.size_param.describe('Parameter that takes the size of a page; default: none is sent.'),
  size: size.size.describe('Records of a page.'),
};

const max_pages = z
  .int()
  .min(1)
  .max(10_000_000)
  .default(100_000)
  .describe('Most pages of one read; one more is an error.');

/** How a list goes on after its first page. `paginate` of a resource or of the arguments of `list`. */
export const paging = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('none').describe('There is one page.') }),
    z.strictObject({
      type: z.literal('page').describe('Pages have numbers.'),
      page_param: param.default('page').describe('Parameter that takes the number.'),
      first: z.int().min(0).max(1).default(1).describe('Number of the first page.'),
      ...words,
      pages_path: place
        .optional()
        .describe(
          'Place of the number of pages in an answer. Default: the last page is the one that is not full.',
        ),
      max_pages,
    }),
    z.strictObject({
      type: z.literal('offset').describe('Pages begin after a number of records.'),
      offset_param: param.default('offset').describe('Parameter that takes the number.'),
      size_param: param.default('limit').describe('Parameter that takes the size of a page.'),
      size: words.size,
      total_path: place
        .optional()
        .describe(
          'Place of the number of records in an answer. Default: the last page is the one that is not full.',
        ),
      max_pages,
    }),
    z.strictObject({
      type: z.literal('cursor').describe('Each answer holds the cursor of the next page.'),
      cursor_path: place
        .default('next_cursor')
        .describe('Place of the cursor in an answer; null, false, empty or missing ends the list.'),
      cursor_param: param
        .default('cursor')
        .describe('Parameter, of the query or of a JSON body, that takes it.'),
      cursor_in: z.enum(['query', 'body']).default('query').describe('Where the parameter goes.'),
      has_more_path: place.optional().describe('Place of a value that is false on the last page.'),
      ...words,
      max_pages,
    }),
    z.strictObject({
      type: z
        .literal('link_header')
        .describe('The header `Link` holds the address of the next page (RFC 8288).'),
      rel: z.string().min(1).max(100).default('next').describe('Relation of the link.'),
      ...words,
      max_pages,
    }),
    z.strictObject({
      type: z.literal('next_url').describe('Each answer holds the address of the next page.'),
      url_path: place.default('next').describe('Place of the address in an answer.'),
      ...words,
      max_pages,
    }),
    z.strictObject({
      type: z.literal('keyset').describe('Pages begin after the last record of the page before.'),
      field: place.default('id').describe('Field of the last record.'),
      param: param.default('after').describe('Parameter that takes its value.'),
      has_more_path: place
        .optional()
        .describe(
          'Place of a value that is false on the last page. Default: the last page is the one that is not full.',
        ),
      ...words,
      max_pages,
    }),
  ])
  .describe('How the list goes on after the first page. Default: there is one.');
export type Paging = z.output<typeof paging>;
