import { z } from 'zod';
import { infer } from '../json/config.ts';
import { paging } from './paging/paging-config.ts';
import { encoding, format, headers, incremental, path, query, records, resource } from './resource-config.ts';

const filter = z
  .record(z.string(), z.unknown())
  .describe(
    'Returns only matching rows: equality or operators per field: `{"city": "Bonn", "age": {"gte": 18}}`.',
  );

export const httpListArgs = z
  .strictObject({
    resource: z.string().optional().describe('Name of a resource of the connector, instead of `path`.'),
    path: path.optional(),
    query: query.default({}).describe('Query parameters, in addition to those of the resource.'),
    headers: headers.default({}).describe('Additional headers.'),
    records: records.optional(),
    format: format.optional(),
    encoding: encoding.optional(),
    infer: infer.optional(),
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
  query: query.default({}).describe('Query parameters.'),
  headers: headers.default({}).describe('Additional headers.'),
  format: format.default('auto'),
  encoding: encoding.optional(),
  records: records.optional().describe('Path of the value in the response. Default: the whole response.'),
});

export const httpRequestArgs = z.strictObject({
  method: z
    .enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
    .default('POST')
    .describe('Method of the request.'),
  path,
  query: query.default({}).describe('Query parameters.'),
  headers: headers.default({}).describe('Additional headers.'),
  body: z.unknown().optional().describe('Body: text unchanged, anything else as JSON.'),
  idempotency_key: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[\x21-\x7e]+$/, 'A key must be ASCII without spaces')
    .optional()
    .describe(
      'Sent in `idempotency_header`, so that the API processes the request only once; allows retries of a request that writes.',
    ),
});
