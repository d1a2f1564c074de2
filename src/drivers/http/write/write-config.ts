import { z } from 'zod';

/** Rows in one request. */
const BATCH_ROWS_MAX = 1_000;
const CONCURRENCY_MAX = 32;

const place = z
  .string()
  .max(500)
  .regex(/^[^.]+(\.[^.]+)*$/, 'Write the keys that lead to the rows with dots between, such as "data.items"');

function wayOf(method: 'POST' | 'PUT' | 'DELETE') {
  return {
    method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']).default(method).describe('Method of the request.'),
    path: z
      .string()
      .min(1, 'Give a path')
      .max(2_000)
      .optional()
      .describe(
        'Path below `base_url`; `{id}` is replaced by the value of the column `id`. Default: the resource’s path.',
      ),
    batch_size: z
      .int()
      .min(1)
      .max(BATCH_ROWS_MAX)
      .default(1)
      .describe('Rows per request; from 2 upwards the body is a list.'),
    place: place
      .optional()
      .describe('Path of the row, or list of rows, in the body, such as `data`. Default: the whole body.'),
    concurrency: z
      .int()
      .min(1)
      .max(CONCURRENCY_MAX)
      .default(1)
      .describe('Concurrent requests. With more than one, rows do not arrive in order.'),
  };
}

/** `write` of a resource: how the rows of a load become requests. */
export const writeConfig = z
  .strictObject({
    append: z
      .strictObject({
        ...wayOf('POST'),
        idempotent: z
          .boolean()
          .describe(
            'Whether the API processes requests with the same `idempotency_header` only once. If so, failed requests are retried; if not, a load that failed after its first row is not retried, and a retried run sends its rows again.',
          ),
      })
      .optional()
      .describe('Loads with mode `append`: requests that create.'),
    upsert: z
      .strictObject(wayOf('PUT'))
      .optional()
      .describe(
        'Loads with modes `upsert` and `merge`: requests that create or update, and can be repeated.',
      ),
    delete: z
      .strictObject(wayOf('DELETE'))
      .optional()
      .describe(
        'Loads with mode `delete`: requests that delete. 404 and 410 mean that nothing existed. Requests for one row have no body.',
      ),
  })
  .describe('How rows are loaded: one request per row, or per `batch_size` rows.');
export type WriteConfig = z.output<typeof writeConfig>;
export type WriteWay = NonNullable<WriteConfig['upsert']> & { readonly idempotent?: boolean };
