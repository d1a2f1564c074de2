import { z } from 'zod';
import { timestamp } from '../../base/clock.ts';
import { CONNECTOR_USE_SOURCES } from '../../base/connectors/connector-use.ts';
import { requireFound } from '../../base/errors.ts';
import { member } from '../../http/access.ts';
import { answerPage, pageOf, pageQuery, pagingOf, sortable, toPage } from '../../http/paging.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import { selectNow } from '../../store/select-now.ts';
import type { Store } from '../../store/store.ts';
import { searchField } from '../definitions/definition-fields.ts';
import {
  bucketOf,
  CALLS_KEPT_MS,
  type CallBucket,
  DAY_MS,
  HEALTH_STATUSES,
  HOUR_MS,
  statusOf,
  sumOf,
} from './connector-health.ts';
import {
  type ConnectorHealthRow,
  type ListedConnector,
  selectCalls,
  selectConnectorId,
  selectConnectorsByHealth,
  selectHealth,
} from './connector-health-store.ts';
import { RANGES, type Range, shownBuckets } from './shown-buckets.ts';

const whole = z.number().int();
const counts = z.object({ calls: whole, errors: whole, ms: whole });
const time = z.string().nullable();
const status = z
  .enum(HEALTH_STATUSES)
  .describe(
    '`failing`: the last call could not reach it, or was refused its credentials, and none has succeeded since; `degraded`: more than 5 % of the calls of the last hour failed; `unknown`: never used',
  );

const health = z
  .object({
    connector_id: whole,
    status,
    since: time.describe(
      'Since when; for `degraded`, and `ok` after it, to five minutes, and one day at most',
    ),
    last_success_at: time,
    last_error: z
      .object({
        at: z.string(),
        code: z.string(),
        message: z.string(),
        source: z.enum(CONNECTOR_USE_SOURCES),
        run_id: whole.nullable(),
        job_id: whole.nullable(),
      })
      .nullable(),
    last_test: z.object({ at: z.string(), ok: z.boolean(), message: z.string() }).nullable(),
    totals: counts.describe('Of the range'),
    sources: z.object(
      Object.fromEntries(CONNECTOR_USE_SOURCES.map((source) => [source, counts])) as Record<
        (typeof CONNECTOR_USE_SOURCES)[number],
        typeof counts
      >,
    ),
    bucket_ms: whole,
    buckets: z
      .array(z.object({ at: z.string(), calls: whole, errors: whole }))
      .describe('The whole range, oldest first; `at` is the start of a bucket'),
  })
  .meta({ id: 'ConnectorHealth' });

const listed = z
  .object({
    connector_id: whole,
    name: z.string(),
    type: z.string(),
    status,
    since: time,
    last_error_at: time,
    calls_24h: whole,
    errors_24h: whole,
  })
  .meta({ id: 'ListedConnectorHealth' });

const listQuery = pageQuery.extend({
  sort: sortable(['id', 'name', 'type', 'created_at', 'updated_at'], '-id').describe(
    'The sort field, of the connector; with "-" in descending order',
  ),
  status: z.enum(HEALTH_STATUSES).optional(),
  type: z.string().max(64).optional(),
  q: searchField,
});
const healthQuery = z.strictObject({
  range: z
    .enum(Object.keys(RANGES) as [Range, ...Range[]])
    .default('24h')
    .describe('How far back totals, sources and buckets reach'),
});

const timeOf = (at: number) => (at === 0 ? null : timestamp(at));

/** How saved connectors have worked lately, whatever used them. */
export function registerConnectorHealthRoutes(app: App, { store }: { readonly store: Store }): void {
  const routes = new Routes(app, { tag: 'Connectors', read: member('viewer', 'connectors:read') });
  routes.get(
    '/api/connectors/health',
    {
      id: 'listConnectorHealth',
      summary: 'Whether connectors work, and their calls of the last 24 hours',
      query: listQuery,
      answer: pageOf(listed),
      sends: ['Link'],
    },
    async (request, reply) => {
      const { query } = request;
      const now = await selectNow(store.read, store.dialect);
      const paging = pagingOf(request);
      const rows = await selectConnectorsByHealth(store.read, { ...query, now }, paging);
      const known = await knownOf(
        store,
        rows.map(({ id }) => id),
        now - DAY_MS - HOUR_MS,
      );
      const page = toPage(rows, paging, (row) => listedOf(row, known(row.id), now));
      return answerPage(request, reply, page);
    },
  );
  routes.get(
    '/api/connectors/:id/health',
    {
      id: 'getConnectorHealth',
      summary: 'Whether a connector works, its last error, and its calls over time',
      description: `Counts calls of runs and tests of the connection; browsing, widgets and previews do not count. Calls are kept for ${CALLS_KEPT_MS / DAY_MS} days. A refused row is an answer of the connector, not an error.`,
      query: healthQuery,
      answer: health,
    },
    async ({ params: { id }, query: { range } }) => {
      requireFound(await selectConnectorId(store.read, id), 'connector', id);
      const now = await selectNow(store.read, store.dialect);
      const from = now - Math.max(RANGES[range].ms, DAY_MS + HOUR_MS);
      const { row, buckets } = (await knownOf(store, [id], from))(id);
      return { connector_id: id, ...shownHealth(row, buckets, now), ...shownBuckets(buckets, range, now) };
    },
  );
}

interface Known {
  readonly row: ConnectorHealthRow | null;
  readonly buckets: readonly CallBucket[];
}

async function knownOf(store: Store, ids: readonly number[], from: number) {
  const rows = await selectHealth(store.read, ids);
  const calls = Map.groupBy(
    await selectCalls(store.read, ids, bucketOf(from)),
    ({ connector_id }) => connector_id,
  );
  return (id: number): Known => ({ row: rows.get(id) ?? null, buckets: calls.get(id) ?? [] });
}

function listedOf(connector: ListedConnector, { row, buckets }: Known, now: number) {
  const { status, since } = statusOf(row, buckets, now);
  const { calls, errors } = sumOf(buckets, bucketOf(now - DAY_MS));
  return {
    connector_id: connector.id,
    name: connector.name,
    type: connector.type,
    status,
    since: timeOf(since ?? 0),
    last_error_at: timeOf(row?.last_error_at ?? 0),
    calls_24h: calls,
    errors_24h: errors,
  };
}

function shownHealth(row: ConnectorHealthRow | null, buckets: readonly CallBucket[], now: number) {
  const { status, since } = statusOf(row, buckets, now);
  return {
    status,
    since: timeOf(since ?? 0),
    last_success_at: timeOf(row?.last_success_at ?? 0),
    last_error:
      row === null || row.last_error_at === 0
        ? null
        : {
            at: timestamp(row.last_error_at),
            code: row.error_code,
            message: row.error_message,
            source: row.error_source as (typeof CONNECTOR_USE_SOURCES)[number],
            run_id: row.error_run_id,
            job_id: row.error_job_id,
          },
    last_test:
      row === null || row.last_test_at === 0
        ? null
        : { at: timestamp(row.last_test_at), ok: row.test_ok === 1, message: row.test_message },
  };
}
