import { z } from 'zod';
import { authConfig, authProblems, authSecrets } from './auth/auth-config.ts';
import { paging } from './paging/paging-config.ts';

const MI = 1_048_576;

export const timeoutMsMax = 600_000;
const statuses = z
  .array(z.int().min(100).max(599))
  .min(1, 'Give at least one status')
  .max(100, 'Give at most 100 statuses');

const url = z
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

const headers = z.record(
  z.string().regex(/^[!#$%&'*+.^_`|~\w-]{1,200}$/, 'This is no name of a header'),
  z
    .string()
    .max(8_000)
    .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'A header holds no line breaks and no characters beyond Latin-1'),
);
const query = z.record(
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
const format = z
  .enum(FORMATS)
  .describe(
    'Format of the answers; `auto` goes by their `Content-Type`, and takes JSON where that says nothing.',
  );
const records = z
  .string()
  .max(500)
  .regex(/^[^.]+(\.[^.]+)*$/, 'Write the keys that lead to the list with dots between, such as "data.items"')
  .describe(
    'The place of the list of records in an answer, such as `data.items`. Default: the answer is the list.',
  );
const path = z
  .string()
  .max(2_000)
  .describe(
    'Path after `base_url`, such as `/contacts`, or a whole URL of the same host or one of `allow_hosts`.',
  );
const incremental = z
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

const resource = z.strictObject({
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
});

const errorRule = z.strictObject({
  when: z
    .strictObject({
      status: statuses.optional().describe('Statuses of the answer; default: any.'),
      body_contains: z.string().min(1).max(500).optional().describe('Text in its body.'),
    })
    .refine(
      (when) => when.status !== undefined || when.body_contains !== undefined,
      'Give "status" or "body_contains"',
    ),
  action: z
    .enum(['fail', 'ignore', 'retry', 'refresh_auth', 'empty'])
    .describe(
      '`fail`; `ignore` the status and read the body; `retry`; `refresh_auth`, then once more; `empty`: no records.',
    ),
  message: z.string().max(500).optional().describe('What a failure says instead of the answer.'),
});

export const httpConfig = z
  .strictObject({
    base_url: url.describe('Address that paths are appended to, such as `https://api.example.com/v2`.'),
    auth: authConfig.prefault({ type: 'none' }),
    ...authSecrets,
    headers: headers.default({}).describe('Headers of every request.'),
    query: query.default({}).describe('Parameters of every request.'),
    test_path: path
      .optional()
      .describe('Path that a test of the connector asks for. Default: `base_url` itself.'),
    timeout_ms: z
      .int()
      .min(1)
      .max(timeoutMsMax)
      .default(30_000)
      .describe('Longest wait for an answer, in milliseconds.'),
    max_response_bytes: z
      .int()
      .min(1_024)
      .max(512 * MI)
      .default(64 * MI)
      .describe('Largest answer, in bytes after decompression.'),
    retry: z
      .strictObject({
        max_attempts: z.int().min(1).max(20).default(5).describe('Attempts in all, the first included.'),
        statuses: statuses.default([408, 425, 429, 500, 502, 503, 504]).describe('Statuses to try again.'),
        base_ms: z
          .int()
          .min(1)
          .max(60_000)
          .default(500)
          .describe('Wait before the second attempt; it doubles each time.'),
        max_ms: z
          .int()
          .min(1)
          .max(600_000)
          .default(60_000)
          .describe('Longest wait, that of `Retry-After` included.'),
        reset_header: z
          .string()
          .max(200)
          .optional()
          .describe(
            'Header with the time (seconds since 1970) or the seconds after which the API takes requests again.',
          ),
      })
      .prefault({})
      .describe(
        'How failed requests are tried again. Requests that write are, if they carry an idempotency key.',
      ),
    rate_limit: z
      .strictObject({
        requests: z.int().min(1).max(100_000).describe('The most requests in `per_ms`.'),
        per_ms: z
          .int()
          .min(1)
          .max(3_600_000)
          .default(1_000)
          .describe('Length of the window, in milliseconds.'),
      })
      .optional()
      .describe('Keeps to the limit of the API, per connection.'),
    errors: z.array(errorRule).max(50).default([]).describe('Rules for answers; the first that fits counts.'),
    idempotency_header: z
      .string()
      .min(1)
      .max(200)
      .default('Idempotency-Key')
      .describe('Header that carries the idempotency key of a request that writes.'),
    allow_hosts: z
      .array(z.string().min(1).max(255))
      .max(50)
      .default([])
      .describe(
        'Further hosts to which paths, links to next pages and redirects may lead. Credentials are not sent to them.',
      ),
    resources: z
      .record(z.string().min(1).max(200), resource)
      .default({})
      .describe('Named lists: how each is asked for, paged and read.'),
  })
  .superRefine((config, context) => {
    for (const { key, message } of authProblems(config))
      context.addIssue({ code: 'custom', path: [key], message });
  });
export type HttpConfig = z.output<typeof httpConfig>;
export type HttpResource = z.output<typeof resource>;
export type ErrorRule = z.output<typeof errorRule>;
export type Incremental = z.output<typeof incremental>;
export type Query = z.output<typeof query>;

const filter = z
  .record(z.string(), z.unknown())
  .describe(
    'Returns only matching rows: equality or operators per field: `{"city": "Bonn", "age": {"gte": 18}}`.',
  );

export const httpListArgs = z
  .strictObject({
    resource: z.string().optional().describe('Name of a resource of the connector, instead of `path`.'),
    path: path.optional(),
    query: query.default({}).describe('Parameters of the query, besides those of the resource.'),
    headers: headers.default({}).describe('Further headers.'),
    records: records.optional(),
    format: format.optional(),
    paginate: paging.optional(),
    incremental: incremental.optional(),
    columns: resource.shape.columns,
    filter: filter.optional(),
  })
  .refine((args) => (args.resource === undefined) !== (args.path === undefined), {
    message: 'Give either "resource" or "path"',
    path: ['path'],
  });
export type HttpListArgs = z.output<typeof httpListArgs>;

export const httpGetArgs = z.strictObject({
  path,
  query: query.default({}).describe('Parameters of the query.'),
  headers: headers.default({}).describe('Further headers.'),
  format: format.default('auto'),
  records: records.optional().describe('The place of the wanted value in the answer. Default: all of it.'),
});

export const httpRequestArgs = z.strictObject({
  method: z
    .enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
    .default('POST')
    .describe('Method of the request.'),
  path,
  query: query.default({}).describe('Parameters of the query.'),
  headers: headers.default({}).describe('Further headers.'),
  body: z.unknown().optional().describe('Body: text as it is, anything else as JSON.'),
  idempotency_key: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[\x21-\x7e]+$/, 'A key holds no spaces and only ASCII')
    .optional()
    .describe(
      'Sent in `idempotency_header`, so that the API does the same request only once; lets a request that writes be tried again.',
    ),
});
