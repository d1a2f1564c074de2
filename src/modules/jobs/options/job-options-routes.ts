import { z } from 'zod';
import { notFound } from '../../../base/errors.ts';
import { isRecord } from '../../../base/json.ts';
import { member } from '../../../http/access.ts';
import { Routes } from '../../../http/routes.ts';
import { sendJsonText } from '../../../http/send-json-text.ts';
import type { App } from '../../../http/server.ts';
import type { Store } from '../../../store/store.ts';
import { parsedOf } from '../../job-templates/job-template.ts';
import { keyParams } from '../config/job-config-routes.ts';
import { requireJob } from '../job-routes.ts';
import type { JobOptions } from './job-options.ts';
import { placeOfEntry } from './option-place.ts';
import type { CountOptions } from './options-limit.ts';

const CURSOR_CHARS_MAX = 4_000;
const SEARCH_CHARS_MAX = 200;
const SIDE_CHARS_MAX = 100;

export const optionsBody = z
  .strictObject({
    side: z
      .string()
      .max(SIDE_CHARS_MAX)
      .optional()
      .describe('`source` or `target` of a mapping, or the key of a field'),
    q: z.string().max(SEARCH_CHARS_MAX).optional().describe('Search text'),
    cursor: z.string().max(CURSOR_CHARS_MAX).optional().describe('Omit for the first page'),
    value: z.unknown().optional().describe('The draft that dependent sources read'),
  })
  .nullish()
  .meta({ id: 'WidgetOptionsRequest' });
export const optionsAnswer = z
  .object({
    options: z.array(
      z
        .object({ label: z.string(), value: z.string(), subText: z.string().optional() })
        .meta({ id: 'WidgetOption' }),
    ),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'WidgetOptionsResponse' });

const group = { tag: 'Jobs', write: member('viewer', 'jobs:read') };

export interface JobOptionsRoutesDeps {
  readonly store: Store;
  readonly jobOptions: Pick<JobOptions, 'page'>;
  readonly countOptions: CountOptions;
}

export function registerJobOptionsRoutes(
  app: App,
  { store, jobOptions, countOptions }: JobOptionsRoutesDeps,
): void {
  const routes = new Routes(app, group);
  routes.post(
    '/api/jobs/:id/config/:key/options',
    {
      id: 'getJobConfigOptions',
      summary: 'One page of options for an entry of the configuration',
      params: keyParams,
      body: optionsBody,
      answer: optionsAnswer,
      errors: ['CONNECTOR_ERROR', 'UNPROCESSABLE', 'NOT_READY'],
      onRequest: countOptions,
    },
    async (request, reply) => {
      const { id, key } = request.params;
      const job = await requireJob(store.read, id);
      const entries = parsedOf(job).jobConfig;
      const schema = Object.hasOwn(entries, key) ? entries[key] : undefined;
      if (!isRecord(schema)) throw notFound('job_config entry', key);
      const { side, ...question } = request.body ?? {};
      const place = placeOfEntry(key, schema, side);
      return sendJsonText(reply, (signal) => jobOptions.page(job, place, question, signal));
    },
  );
}
