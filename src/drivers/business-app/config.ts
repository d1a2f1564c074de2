import { z } from 'zod';
import { authConfig, authProblems, authSecrets } from '../http/auth/auth-config.ts';
import { httpConfig } from '../http/config.ts';
import { headers, query } from '../http/resource-config.ts';

/** An operation of `$batch` that all servers take. */
export const BATCH_REQUESTS_MAX = 100;

const name = z
  .string()
  .max(200)
  .regex(/^[\p{L}_][\p{L}\p{N}_]*$/u, 'A name of the service consists of letters, digits and "_"');
const entity = name.describe('An entity set or singleton of the service, such as `accounts`.');
const http = httpConfig.shape;

/** A business application that speaks OData 4. */
export const businessAppConfig = z
  .strictObject({
    base_url: http.base_url
      .describe('Root of its OData service.')
      .meta({ examples: ['https://org.crm4.dynamics.com/api/data/v9.2'] }),
    application: z
      .enum(['dynamics_365', 'business_central', 'sap', 'other'])
      .default('other')
      .describe('Which application it is: what of OData it does in its own way.'),
    auth: authConfig.prefault({ type: 'none' }),
    ...authSecrets,
    headers: headers.default({}).describe('Headers of every request.'),
    query: query.default({}).describe('Parameters of every request, such as `{"sap-client": 100}`.'),
    page_size: z
      .int()
      .min(1)
      .max(100_000)
      .default(1_000)
      .describe('Records of a page that `list` asks for; the application may give fewer.'),
    batch: z
      .boolean()
      .optional()
      .describe(
        'Whether rows of a load are sent as JSON `$batch` requests of up to 100 (OData 4.01), instead of one request each. Default: with `business_central`.',
      ),
    write_concurrency: z
      .int()
      .min(1)
      .max(32)
      .default(1)
      .describe(
        'Requests of a load at the same time. With more than one, rows do not arrive in their order, so that of two with the same key the earlier one may win.',
      ),
    csrf: z
      .boolean()
      .optional()
      .describe('Whether writing takes an `X-CSRF-Token` that is fetched first. Default: with `sap`.'),
    exact_numbers: z
      .boolean()
      .default(true)
      .describe(
        'Asks for 64-bit integers and decimals as text (`IEEE754Compatible`), so that none loses digits; for applications that refuse this, turn it off.',
      ),
    fallback_entities: z
      .array(name)
      .max(1_000)
      .default([])
      .describe(
        'Entities that are listed while the metadata of the service cannot be had. Default: usual ones of the application.',
      ),
    timeout_ms: http.timeout_ms,
    max_response_bytes: http.max_response_bytes,
    retry: http.retry,
    rate_limit: http.rate_limit,
    allow_hosts: http.allow_hosts,
  })
  .superRefine((config, context) => {
    for (const { key, message } of authProblems(config))
      context.addIssue({ code: 'custom', path: [key], message });
  });
export type BusinessAppConfig = z.output<typeof businessAppConfig>;

const path = z.string().min(1).max(1_000);
const expression = z.string().min(1, 'Give an expression').max(20_000);
const filter = z
  .record(z.string(), z.unknown())
  .describe(
    'Conditions per property: equality or operators: `{"city": "Bonn", "revenue": {"gte": 1000}}`. `address/city` is a property of a property.',
  );
const where = expression.describe('A `$filter` expression of your own, besides `filter`.');
const columns = z
  .array(path)
  .min(1)
  .max(1_000)
  .describe('Properties to read (`$select`), in this order. Default: all.');
const expand = z
  .array(expression)
  .min(1)
  .max(50)
  .describe('Related records to read along (`$expand`), such as `primarycontactid($select=fullname)`.');
const annotations = z
  .boolean()
  .default(false)
  .describe(
    'Keep what the application says beside the values: `@odata.etag`, and formatted values as `status@OData.Community.Display.V1.FormattedValue`.',
  );
const scalar = z.union([z.string().max(2_000), z.number(), z.boolean()]);
const key = z
  .union([scalar, z.record(z.string(), scalar)])
  .describe(
    'Key of the record; where it has several parts or is another one than the usual: `{"name": "Acme"}`.',
  );
const body = z.record(z.string(), z.unknown()).describe('The properties of the record.');
const etag = z
  .string()
  .min(1)
  .max(1_000)
  .regex(/^[\x20-\x7e]+$/, 'An ETag must be ASCII')
  .optional()
  .describe('The `@odata.etag` of the record as it was read: a record that has changed since is left alone.');
const operation = z
  .string()
  .max(400)
  .regex(
    /^[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}_][\p{L}\p{N}_]*)*$/u,
    'Write the name with dots between, such as "Sales.Close"',
  )
  .describe('Its name; of one that is bound to a record or an entity, with its namespace.');
const parameters = z.record(z.string(), z.unknown()).default({}).describe('Its parameters.');
const bound = {
  entity: entity.optional().describe('The entity that it is bound to. Default: none.'),
  key: key.optional().describe('Key of the record that it is bound to.'),
};

export const odataListArgs = z.strictObject({
  entity,
  columns: columns.optional(),
  filter: filter.default({}),
  where: where.optional(),
  sort: z.array(path).max(20).default([]).describe('`name` ascending, `-name` descending.'),
  top: z.int().min(1).optional().describe('The most records to return.'),
  expand: expand.optional(),
  apply: expression
    .optional()
    .describe('Aggregation (`$apply`), such as `groupby((city),aggregate($count as n))`.'),
  query: query.default({}).describe('Further parameters of the request.'),
  annotations,
});
export type OdataListArgs = z.output<typeof odataListArgs>;

export const odataGetArgs = z.strictObject({
  entity,
  key: key.optional().describe('Key of the record; none for a singleton.'),
  columns: columns.optional(),
  expand: expand.optional(),
  annotations: annotations.default(true),
});
export const odataCountArgs = z.strictObject({ entity, filter: filter.default({}), where: where.optional() });
export const odataFunctionArgs = z.strictObject({ name: operation, ...bound, parameters });
export const odataActionArgs = z.strictObject({ name: operation, ...bound, parameters });
export const odataCreateArgs = z.strictObject({ entity, body });
export const odataUpdateArgs = z.strictObject({ entity, key, body, etag });
export const odataDeleteArgs = z.strictObject({ entity, key, etag });
export const odataBatchArgs = z.strictObject({
  requests: z
    .array(
      z.strictObject({
        method: z.enum(['GET', 'POST', 'PATCH', 'PUT', 'DELETE']).describe('Method of the request.'),
        url: path.describe('Path after the root of the service, such as `contacts(7)`.'),
        headers: headers.optional().describe('Additional headers.'),
        body: z.unknown().optional().describe('Body, sent as JSON.'),
      }),
    )
    .min(1, 'Give at least one request')
    .max(BATCH_REQUESTS_MAX, `Give at most ${BATCH_REQUESTS_MAX} requests`)
    .describe('Requests, done in this order.'),
  atomic: z
    .boolean()
    .default(true)
    .describe('All or none of them (an atomicity group); else those after a failed one are done too.'),
});
export type OdataKey = z.output<typeof key>;
