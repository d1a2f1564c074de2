import { z } from 'zod';
import { paging } from './paging/paging-config.ts';
import { writeConfig } from './write/write-config.ts';

export const url = z
  .string()
  .max(2_000)
  .refine(
    (text) => isPlainUrl(text),
    'Give a URL that begins with https:// or http://, without user name and fragment',
  );

function isPlainUrl(text: string): boolean {
  const parsed = URL.parse(text);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return false;
  return parsed.username === '' && parsed.password === '' && parsed.hash === '';
}

export const headers = z.record(
  z.string().regex(/^[!#$%&'*+.^_`|~\w-]{1,200}$/, 'This is no name of a header'),
  z
    .string()
    .max(8_000)
    .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'A header holds no line breaks and no characters beyond Latin-1'),
);
export const query = z.record(
  z.string().min(1, 'Give the name of a parameter').max(200),
  z.union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.array(z.union([z.string(), z.number(), z.boolean()])),
  ]),
);

export const FORMATS = ['auto', 'json', 'ndjson', 'csv', 'xml'] as const;
export const format = z
  .enum(FORMATS)
  .describe(
    'Format of the answers; `auto` goes by their `Content-Type`, and takes JSON where that says nothing.',
  );
export const records = z
  .string()
  .max(500)
  .regex(/^[^.]+(\.[^.]+)*$/, 'Write the keys that lead to the list with dots between, such as "data.items"')
  .describe(
    'The place of the list of records in an answer, such as `data.items`. Default: the answer is the list.',
  );
export const path = z
  .string()
  .max(2_000)
  .describe(
    'Path after `base_url`, such as `/contacts`, or a whole URL of the same host or one of `allow_hosts`.',
  );
export const incremental = z
  .strictObject({
    field: z.string().min(1).max(200).describe('The field of the records that grows.'),
    param: z.string().min(1).max(200).describe('The parameter of the query that takes its least value.'),
    end_param: z.string().min(1).max(200).optional().describe('The parameter that takes its greatest value.'),
    format: z
      .enum(['text', 'iso', 'date', 'unix', 'unix_ms'])
      .default('text')
      .describe(
        'Form of the value: as it is, a time in ISO 8601 (UTC), a date, or seconds or milliseconds since 1970.',
      ),
  })
  .describe(
    'Passes a condition on a field to the API, so that it sends less. Rows outside the condition are left out either way.',
  );

export const resource = z.strictObject({
  path,
  method: z.enum(['GET', 'POST']).default('GET').describe('Method of the request.'),
  read_only: z
    .boolean()
    .default(false)
    .describe(
      'Says that a `POST` only reads, as searches do; without it no dashboard or preview may send it.',
    ),
  query: query.default({}).describe('Parameters of the query.'),
  headers: headers.default({}).describe('Further headers.'),
  body: z.unknown().optional().describe('Body of a `POST`, sent as JSON.'),
  records: records.optional(),
  format: format.default('auto'),
  paginate: paging.optional(),
  incremental: incremental.optional(),
  columns: z
    .array(z.string().min(1).max(500))
    .min(1)
    .max(1_000)
    .optional()
    .describe('Fields to read, in this order. Default: all.'),
  primary_key: z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(20)
    .optional()
    .describe('Fields that identify a record; dead letters name a record by them.'),
  write: writeConfig.optional(),
});

export type HttpResource = z.output<typeof resource>;
export type Incremental = z.output<typeof incremental>;
export type Query = z.output<typeof query>;
