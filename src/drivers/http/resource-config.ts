import { z } from 'zod';
import { encodingOf } from '../files/encoding/text-encoding.ts';
import { infer } from '../json/config.ts';
import { paging } from './paging/paging-config.ts';
import { parentConfig } from './parent/parent-config.ts';
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
  z.string().regex(/^[!#$%&'*+.^_`|~\w-]{1,200}$/, 'This is not a valid header name'),
  z
    .string()
    .max(8_000)
    .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'A header must not contain line breaks or characters beyond Latin-1'),
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
  .describe('Response format; `auto` follows their `Content-Type`, or JSON if that is missing.');
export const encoding = z
  .string()
  .min(1)
  .max(100)
  .refine(
    (label) => encodingOf(label) !== null,
    'This is not the name of an encoding, such as utf-8 or windows-1252',
  )
  .describe(
    'Encoding of the responses, such as `windows-1252`. Default: the one that a byte order mark, `Content-Type` or an XML declaration names, else UTF-8.',
  );
export const records = z
  .string()
  .max(500)
  .regex(/^[^.]+(\.[^.]+)*$/, 'Write the keys that lead to the list with dots between, such as "data.items"')
  .describe(
    'Path of the list of records in a response, such as `data.items`. Default: the response is the list.',
  );
export const path = z
  .string()
  .max(2_000)
  .describe(
    'Path below `base_url`, such as `/contacts`, or a full URL on the same host or one of `allow_hosts`.',
  );
export const incremental = z
  .strictObject({
    field: z.string().min(1).max(200).describe('The record field with growing values.'),
    param: z.string().min(1).max(200).describe('The query parameter for the lower bound.'),
    end_param: z.string().min(1).max(200).optional().describe('The query parameter for the upper bound.'),
    format: z
      .enum(['text', 'iso', 'date', 'unix', 'unix_ms'])
      .default('text')
      .describe(
        'Format of the value: unchanged, a time in ISO 8601 (UTC), a date, or seconds or milliseconds since 1970.',
      ),
  })
  .describe(
    'Passes a condition on a field to the API, so that it returns less. Rows outside the condition are dropped in any case.',
  );

export const resource = z.strictObject({
  path,
  method: z.enum(['GET', 'POST']).default('GET').describe('Method of the request.'),
  read_only: z
    .boolean()
    .default(false)
    .describe('Declares that a `POST` only reads, such as a search. Without it, nothing reads the resource.'),
  query: query.default({}).describe('Query parameters.'),
  headers: headers.default({}).describe('Additional headers.'),
  body: z.unknown().optional().describe('Body of a `POST`, sent as JSON.'),
  records: records.optional(),
  format: format.default('auto'),
  encoding: encoding.optional(),
  infer: infer.optional(),
  paginate: paging.optional(),
  incremental: incremental.optional(),
  columns: z
    .array(z.string().min(1).max(500))
    .min(1)
    .max(1_000)
    .optional()
    .describe('Fields to read, in this order. Default: all.'),
  parent: parentConfig.optional(),
  primary_key: z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(20)
    .optional()
    .describe('Fields that identify a record, also in dead letters.'),
  write: writeConfig.optional(),
});

export type HttpResource = z.output<typeof resource>;
export type Incremental = z.output<typeof incremental>;
export type Query = z.output<typeof query>;
