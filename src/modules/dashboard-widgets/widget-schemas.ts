import { z } from 'zod';
import { mediaAnswer, problemSchema } from '../../http/operation.ts';
import { FILTER_CHARS_MAX } from '../../language/dashboard/filters/filter-values.ts';

const WIDGET_IDS_MAX = 500;
const WAIT_MS_MAX = 30_000;
const CURSOR_CHARS_MAX = 4_000;
const SEARCH_CHARS_MAX = 200;
const ROWS_MAX = 200;
const FILTERS_MAX = 50;
const CHOSEN_MAX = 20;

const cursor = z.string().max(CURSOR_CHARS_MAX);
const sort = z.string().max(200).describe('A column’s key, or `-key` for descending order');
const search = z.string().max(SEARCH_CHARS_MAX);
export const filtersField = z
  .record(z.string().max(200), z.unknown())
  .refine((value) => Object.keys(value).length <= FILTERS_MAX, `Give at most ${FILTERS_MAX} filters`)
  .describe('Conditions per column: `{"city": "Bonn", "age": {"gte": 18}}`');

export const filterField = z
  .record(z.string().max(100), z.string().max(FILTER_CHARS_MAX))
  .refine((value) => Object.keys(value).length <= CHOSEN_MAX, `Give at most ${CHOSEN_MAX} filters`)
  .describe(
    'What was chosen of the dashboard’s `filters`, as its address has it; an empty text chooses nothing',
  )
  .meta({ examples: [{}] });

export const batchBody = z
  .strictObject({
    widget_ids: z.array(z.string().max(200)).max(WIDGET_IDS_MAX).optional(),
    filter: filterField.optional(),
    wait_ms: z
      .int()
      .min(0)
      .max(WAIT_MS_MAX)
      .optional()
      .describe(
        'Answer after this time with the widgets that are ready, or with the first one; absent: when all are ready',
      ),
  })
  .nullish();
const batchWidgets = z.object({
  widgets: z.record(
    z.string(),
    z.object({
      data: z.unknown().optional(),
      error: z.string().optional(),
      pending: z.literal(true).optional().describe('Only with `wait_ms`: not ready yet, request it again'),
    }),
  ),
});
export const batchAnswer = batchWidgets.meta({ id: 'WidgetBatchDataResponse' });
export const publicBatchAnswer = batchWidgets.meta({ id: 'PublicWidgetBatch' });

export const rowsBody = z
  .strictObject({
    page: z
      .strictObject({ cursor: cursor.nullish(), limit: z.int().min(1).max(ROWS_MAX).optional() })
      .optional(),
    sort: sort.nullish(),
    search: search.nullish(),
    filters: filtersField.optional(),
    filter: filterField.optional(),
  })
  .nullish();
export const rowsAnswer = z
  .object({
    columns: z.array(z.record(z.string(), z.unknown())),
    rows: z.array(z.record(z.string(), z.unknown())),
    next_cursor: z.string().nullable(),
    total: z.number().int().optional(),
  })
  .meta({ id: 'WidgetRows' });

export const exportAnswer = mediaAnswer('The rows as a file, in the `format` of the query', {
  'text/csv': z.string(),
  'application/x-ndjson': z.string(),
});
export const exportQuery = z.strictObject({
  format: z.enum(['csv', 'ndjson']).default('csv'),
  sort: sort.optional(),
  search: search.optional(),
  filters: z.string().max(10_000).optional().describe('The conditions as JSON text'),
  filter: z.string().max(10_000).optional().describe('The chosen filters of the dashboard, as JSON text'),
});

export const submitBody = z.strictObject({
  value: z.unknown(),
  version: z
    .int()
    .min(0)
    .optional()
    .describe('The version the form was loaded from; 412 if another one was saved since'),
  dry_run: z.boolean().default(false).describe('Validate without saving'),
});
export const submitAnswer = z
  .object({
    saved: z.boolean(),
    problems: z.array(problemSchema),
    hidden: z.array(z.string()).describe('Fields that are hidden for this value'),
    value: z.unknown(),
    version: z.number().int(),
  })
  .meta({ id: 'WidgetSubmit' });

export const actionBody = z
  .strictObject({ input: z.record(z.string(), z.unknown()).default({}) })
  .prefault({});
export const actionAnswer = z
  .object({
    outcome: z.enum(['started', 'done']),
    message: z.string().nullable(),
    job_run_id: z.number().int().nullable(),
    result: z.unknown(),
    cooldown_until: z.string().nullable(),
  })
  .meta({ id: 'WidgetAction' });
