import { z } from 'zod';
import { authConfig, authProblems, authSecrets } from './auth/auth-config.ts';
import { headers, path, query, resource, url } from './resource-config.ts';

const MI = 1_048_576;

export const timeoutMsMax = 600_000;
const statuses = z
  .array(z.int().min(100).max(599))
  .min(1, 'Give at least one status')
  .max(100, 'Give at most 100 statuses');

const errorRule = z.strictObject({
  when: z
    .strictObject({
      status: statuses.optional().describe('Statuses of the answer; default: any.'),
      body_contains: z.string().min(1).max(500).optional().describe('Text in its body.'),
      expr: z
        .string()
        .min(1)
        .max(2_000)
        .optional()
        .describe(
          'A JSONata expression over `status`, `headers` (lower-case names) and `body` that is true.',
        ),
    })
    .refine(
      (when) => Object.values(when).some((condition) => condition !== undefined),
      'Give "status", "body_contains" or "expr"',
    )
    .describe('All that is given must fit.'),
  action: z
    .enum(['fail', 'ignore', 'retry', 'refresh_auth', 'empty'])
    .describe(
      '`fail`; `ignore` the status and read the body; `retry`; `refresh_auth`, then once more; `empty`: no records.',
    ),
  message: z.string().max(500).optional().describe('What a failure says instead of the answer.'),
});

export const httpConfig = z
  .strictObject({
    base_url: url
      .describe('Address that paths are appended to, such as `https://api.example.com/v2`.')
      .meta({ examples: ['https://api.example.com/v2'] }),
    auth: authConfig.prefault({ type: 'none' }),
    ...authSecrets,
    headers: headers.default({}).describe('Headers of every request.'),
    query: query.default({}).describe('Parameters of every request.'),
    test_path: path
      .optional()
      .describe('Path that a test of the connector asks for. Default: `base_url` itself.')
      .meta({ examples: ['/me'] }),
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
        methods: z
          .array(z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']))
          .max(5)
          .default(['GET', 'PUT', 'DELETE'])
          .describe(
            'Methods whose requests are as good twice as once. Others are sent again only with an idempotency key, or where the API has surely done nothing: after 429, and without a connection.',
          ),
        retry_after_header: z
          .string()
          .min(1)
          .max(200)
          .default('Retry-After')
          .describe('Header with the seconds to wait, or the date to wait for.'),
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
        requests: z
          .int()
          .min(1)
          .max(100_000)
          .optional()
          .describe('The most requests in `per_ms`. Default: any number.'),
        per_ms: z
          .int()
          .min(1)
          .max(3_600_000)
          .default(1_000)
          .describe('Length of the window, in milliseconds.'),
        concurrency: z
          .int()
          .min(1)
          .max(1_000)
          .optional()
          .describe('The most requests at the same time. Default: any number.'),
      })
      .refine(
        ({ requests, concurrency }) => requests !== undefined || concurrency !== undefined,
        'Give "requests" or "concurrency"',
      )
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
export type ErrorRule = z.output<typeof errorRule>;
