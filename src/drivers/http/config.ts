import { z } from 'zod';
import { authConfig, authProblems, authSecrets } from './auth/auth-config.ts';
import { parentProblems } from './parent/check-parents.ts';
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
      status: statuses.optional().describe('Response statuses; default: any.'),
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
    .describe('All conditions must match.'),
  action: z
    .enum(['fail', 'ignore', 'retry', 'refresh_auth', 'empty'])
    .describe(
      '`fail`; `ignore` the status and read the body; `retry`; `refresh_auth`, then once more; `empty`: no records.',
    ),
  message: z.string().max(500).optional().describe('Error message to use instead of the response.'),
});

export const httpConfig = z
  .strictObject({
    base_url: url
      .describe('URL that paths are appended to, such as `https://api.example.com/v2`.')
      .meta({ examples: ['https://api.example.com/v2'] }),
    auth: authConfig.prefault({ type: 'none' }),
    ...authSecrets,
    headers: headers
      .default({})
      .describe('Headers of every request.')
      .meta({ examples: [{ 'X-Team': 'data' }] }),
    query: query
      .default({})
      .describe('Parameters of every request.')
      .meta({ examples: [{ version: 2 }] }),
    test_path: path
      .optional()
      .describe('Path requested by a connector test. Default: `base_url` itself.')
      .meta({ examples: ['/me'] }),
    timeout_ms: z
      .int()
      .min(1)
      .max(timeoutMsMax)
      .default(30_000)
      .describe('Response timeout, in milliseconds.'),
    max_response_bytes: z
      .int()
      .min(1_024)
      .max(512 * MI)
      .default(64 * MI)
      .describe('Maximum response size, in bytes after decompression.'),
    retry: z
      .strictObject({
        max_attempts: z.int().min(1).max(20).default(5).describe('Total attempts, including the first.'),
        statuses: statuses.default([408, 425, 429, 500, 502, 503, 504]).describe('Statuses to retry.'),
        base_ms: z
          .int()
          .min(1)
          .max(60_000)
          .default(500)
          .describe('Delay before the second attempt; it doubles each time.'),
        max_ms: z
          .int()
          .min(1)
          .max(600_000)
          .default(60_000)
          .describe('Maximum delay, including `Retry-After`.'),
        methods: z
          .array(z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']))
          .max(5)
          .default(['GET', 'PUT', 'DELETE'])
          .describe(
            'Idempotent methods. Others are retried only with an idempotency key, or when the API has certainly done nothing: after 429, or if the connection failed.',
          ),
        retry_after_header: z
          .string()
          .min(1)
          .max(200)
          .default('Retry-After')
          .describe('Header with the seconds to wait, or the date to wait until.'),
        reset_header: z
          .string()
          .max(200)
          .optional()
          .describe(
            'Header with the time (seconds since 1970) at which, or the seconds after which, the API accepts requests again.',
          ),
      })
      .prefault({})
      .describe(
        'Retries of failed requests. Requests that write are retried if they have an idempotency key.',
      ),
    rate_limit: z
      .strictObject({
        requests: z
          .int()
          .min(1)
          .max(100_000)
          .optional()
          .describe('Maximum requests per `per_ms`. Default: unlimited.'),
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
          .describe('Maximum concurrent requests. Default: unlimited.'),
      })
      .refine(
        ({ requests, concurrency }) => requests !== undefined || concurrency !== undefined,
        'Give "requests" or "concurrency"',
      )
      .optional()
      .describe('Rate limit: for all connections of a run together, and for each thread of the server.'),
    errors: z.array(errorRule).max(50).default([]).describe('Rules for responses; the first match applies.'),
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
        'Additional hosts allowed in paths, next-page links and redirects. Credentials are not sent to them.',
      ),
    resources: z
      .record(z.string().min(1).max(200), resource)
      .default({})
      .describe('Named lists: how each is requested, paginated and read.')
      .meta({ examples: [{ contacts: { path: '/contacts', records: 'data' } }] }),
  })
  .superRefine((config, context) => {
    for (const { key, message } of authProblems(config))
      context.addIssue({ code: 'custom', path: [key], message });
    for (const { path, message } of parentProblems(config.resources))
      context.addIssue({ code: 'custom', path: [...path], message });
  });
export type HttpConfig = z.output<typeof httpConfig>;
export type ErrorRule = z.output<typeof errorRule>;
