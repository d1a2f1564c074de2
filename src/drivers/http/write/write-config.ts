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
        'Path after `base_url`; `{id}` takes the value of the column `id`. Default: that of the resource.',
      ),
    batch_size: z
      .int()
      .min(1)
      .max(BATCH_ROWS_MAX)
      .default(1)
      .describe('Rows of one request; from 2 on its body is a list of them.'),
    place: place
      .optional()
      .describe(
        'Where in the body the row, or the list of rows, is put, such as `data`. Default: it is the body.',
      ),
    concurrency: z
      .int()
      .min(1)
      .max(CONCURRENCY_MAX)
      .default(1)
      .describe('Requests at the same time. With more than one, rows do not arrive in their order.'),
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
            'Whether the API does requests with the same `idempotency_header` only once. If it does, failed requests are tried again; if it does not, a load that failed after its first row is not, and a run that is tried again sends its rows again.',
          ),
      })
      .optional()
      .describe('Loads with the mode `append`: requests that create.'),
    upsert: z
      .strictObject(wayOf('PUT'))
      .optional()
      .describe(
        'Loads with the modes `upsert` and `merge`: requests that create or change, as often as they come.',
      ),
    delete: z
      .strictObject(wayOf('DELETE'))
      .optional()
      .describe(
        'Loads with the mode `delete`: requests that remove. 404 and 410 say that there was nothing. One row has no body.',
      ),
  })
  .describe('How the rows of a load are sent: one request per row, or per `batch_size` rows.');
export type WriteConfig = z.output<typeof writeConfig>;
export type WriteWay = NonNullable<WriteConfig['upsert']> & { readonly idempotent?: boolean };
