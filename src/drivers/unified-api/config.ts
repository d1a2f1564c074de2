import { z } from 'zod';
import { httpConfig } from '../http/config.ts';
import { httpListArgs } from '../http/request-args.ts';
import { query } from '../http/resource-config.ts';

const id = z.string().min(1, 'Give an id').max(500);
const resource = z
  .string()
  .min(1, 'Give a resource')
  .max(500)
  .describe(
    'Its name: `crm/contacts` in a unified API, `contacts` in the integration’s own; with Nango `records/Contact` for synced records, or a path of the integration’s API.',
  );
const account = id
  .optional()
  .describe('The account to call. Default: the configured one. With Nango: `integration/connection`.');

const http = httpConfig.shape;

/** A platform that holds the accounts of customers at many integrations, and calls them in one form. */
export const unifiedApiConfig = z.strictObject({
  provider: z.enum(['truto', 'nango']).describe('The platform.'),
  base_url: http.base_url.optional().describe('Its URL, if self-hosted. Default: its cloud.'),
  token: z
    .string()
    .min(1, 'Give a token')
    .max(8_000)
    .describe('Its API token (Truto), or environment key (Nango).'),
  integrated_account_id: id.optional().describe('The default account of calls.'),
  integration: id.optional().describe('Name of the integration whose OAuth app is managed.'),
  needs_byoa: z
    .array(id)
    .max(500)
    .default([])
    .describe('Integrations that need your own OAuth app even if the platform has one.'),
  fallback_resources: z
    .array(resource)
    .max(1_000)
    .default([])
    .describe('Resources shown while the platform is unreachable.'),
  page_size: z.int().min(1).max(1_000).default(100).describe('Page size of `list`.'),
  timeout_ms: http.timeout_ms,
  max_response_bytes: http.max_response_bytes,
  retry: http.retry,
  rate_limit: http.rate_limit,
  idempotency_header: http.idempotency_header,
});
export type UnifiedApiConfig = z.output<typeof unifiedApiConfig>;

const common = {
  integrated_account_id: account,
  query: query.default({}).describe('Parameters of the request, such as `{"created_at[gt]": "2026-01-01"}`.'),
};
const list = httpListArgs.shape;

export const unifiedListArgs = z.strictObject({
  resource,
  ...common,
  columns: list.columns,
  filter: list.filter,
  incremental: list.incremental,
  records: list.records.describe('Nango, integration paths: the path of the list in a response.'),
  paginate: list.paginate.describe('Nango, integration paths: pagination of the list.'),
});
export type UnifiedListArgs = z.output<typeof unifiedListArgs>;

export const unifiedGetArgs = z.strictObject({ resource, id: id.describe('Id of the record.'), ...common });

export const unifiedAccountsArgs = z.strictObject({
  q: id.optional().describe('Prefix of an id, or part of a tenant id.'),
  integration: id.optional().describe('Name of an integration.'),
});

const idempotency_key = id
  .regex(/^[\x21-\x7e]+$/, 'A key must be ASCII without spaces')
  .optional()
  .describe('Sent in `idempotency_header`; allows retries of a failed request.');
const body = z.record(z.string(), z.unknown()).describe('The fields of the record.');

export const unifiedCreateArgs = z.strictObject({ resource, body, idempotency_key, ...common });
export const unifiedUpdateArgs = z.strictObject({
  resource,
  id: id.describe('Id of the record.'),
  body,
  idempotency_key,
  ...common,
});
export const unifiedDeleteArgs = z.strictObject({
  resource,
  id: id.describe('Id of the record.'),
  ...common,
});

const path = z
  .string()
  .min(1, 'Give a path')
  .max(2_000)
  .describe('Path below the platform’s proxy, such as `tickets/7`.');

export const proxyGetArgs = z.strictObject({ path, ...common });
export const proxyArgs = z.strictObject({
  method: z
    .enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
    .default('POST')
    .describe('Method of the request.'),
  path,
  body: z.unknown().optional().describe('Body, sent as JSON.'),
  idempotency_key,
  ...common,
});
