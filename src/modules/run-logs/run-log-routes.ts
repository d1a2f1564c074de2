import { Readable } from 'node:stream';
import { z } from 'zod';
import { requireFound } from '../../base/errors.ts';
import { LOG_LEVEL_NAMES, LOG_LEVELS } from '../../base/run-report.ts';
import { member } from '../../http/access.ts';
import { mediaAnswer } from '../../http/operation.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import { eventStreamText, openEventStream } from '../../http/sse.ts';
import type { Store } from '../../store/store.ts';
import type { RunNotifications } from '../runs/run-notifications.ts';
import { runRecord } from '../runs/run-routes.ts';
import { selectRun } from '../runs/run-store.ts';
import { LOG_GAPS, logGap } from './run-log.ts';
import { RunLogHub } from './run-log-hub.ts';
import { logLineJson, toLogLine } from './run-log-line.ts';
import {
  type LogFilters,
  type LogPage,
  type LogPlace,
  selectLogCursors,
  selectLogPage,
} from './run-log-store.ts';
import { newestOf, streamRunLog } from './run-log-stream.ts';

const LINES_DEFAULT = 200;
const LINES_MAX = 1_000;
const DOWNLOAD_CHUNK_LINES = 1_000;

const logLine = z
  .object({
    attempt: z.number().int(),
    seq: z.number().int(),
    at: z.string(),
    level: z.enum(LOG_LEVEL_NAMES),
    step_id: z.string().nullable(),
    message: z.string(),
    fields: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'LogLine' });

const place = z
  .string()
  .regex(/^(\d{1,9}\.)?\d{1,15}$/, 'must be a seq, or attempt.seq')
  .describe('`attempt.seq`, or a seq of the first attempt');

/** The data of the stream's events. */
const runEvents = {
  log: logLine,
  gap: z
    .object({
      attempt: z.number().int(),
      from: z.number().int(),
      to: z.number().int(),
      reason: z.enum(['retention', 'quota']),
    })
    .describe('Lines that were deleted or not kept, from and to inclusive'),
  status: runRecord.pick({
    id: true,
    status: true,
    reason: true,
    attempt: true,
    items: true,
    error: true,
    started_at: true,
    ended_at: true,
  }),
  progress: runRecord.shape.progress.unwrap(),
  end: z
    .object({
      last_seq: z.number().int(),
      complete: z.boolean(),
      reason: z.enum(LOG_GAPS).nullable().describe('why it is not complete'),
      status: runRecord.shape.status,
    })
    .describe('The last event'),
};

const filterQuery = z.strictObject({
  after_seq: place.optional(),
  level: z.enum(LOG_LEVEL_NAMES).optional(),
  step: z.string().max(200).optional(),
  q: z.string().max(200).optional(),
});
const listQuery = filterQuery.extend({
  limit: z.coerce.number().int().min(1).max(LINES_MAX).default(LINES_DEFAULT),
});

const group = { tag: 'Runs', read: member('viewer', 'runs:read') };

export interface RunLogRoutesDeps {
  readonly store: Store;
  readonly notifications: RunNotifications;
  readonly now: () => number;
}

export function registerRunLogRoutes(app: App, deps: RunLogRoutesDeps): void {
  const routes = new Routes(app, group);
  registerPages(routes, deps);
  registerStream(app, deps);
}

async function requireRun({ read: db }: Store, id: number) {
  return requireFound(await selectRun(db, id), 'run', id);
}

function registerPages(routes: Routes, { store }: RunLogRoutesDeps): void {
  routes.get(
    '/api/runs/:id/logs',
    {
      id: 'listRunLogs',
      summary:
        'Log lines in order; continue with next_cursor as after_seq. A filtered page may hold fewer lines than its limit although more follow',
      query: listQuery,
      answer: z.object({
        result: z.array(logLine),
        last_seq: z.number().int(),
        complete: z.boolean(),
        reason: z.enum(LOG_GAPS).nullable().describe('why it is not complete'),
        dropped: z.number().int().describe('Lines over the quota: acknowledged but not stored'),
        pruned_to: z
          .string()
          .nullable()
          .describe('`attempt.seq`: lines up to here were deleted by retention'),
        attempts: z
          .array(z.object({ attempt: z.number().int(), last_seq: z.number().int() }))
          .describe('Extent of each attempt’s log, oldest first: lines 1 to last_seq'),
        next_cursor: z.string().nullable(),
      }),
    },
    async (request) => {
      const run = await requireRun(store, request.params.id);
      const { limit } = request.query;
      // Read before the lines, so that `complete` is never said of a page that lacks the last ones.
      const cursors = await selectLogCursors(store.logs, run.id);
      const { rows, next } = await selectLogPage(store.logs, run.id, filtersOf(request.query), limit);
      const newest = newestOf(run, cursors);
      const reason = logGap(run, newest);
      const pruned = cursors.findLast((cursor) => cursor.pruned_seq > 0);
      return {
        result: rows.map(toLogLine),
        last_seq: newest.acked_seq,
        complete: reason === null,
        reason,
        dropped: cursors.reduce((sum, cursor) => sum + cursor.dropped, 0),
        pruned_to: pruned === undefined ? null : `${pruned.attempt}.${pruned.pruned_seq}`,
        attempts: cursors.map(({ attempt, acked_seq }) => ({ attempt, last_seq: acked_seq })),
        next_cursor: next === null ? null : `${next.attempt}.${next.seq}`,
      };
    },
  );

  routes.get(
    '/api/runs/:id/logs/download',
    {
      id: 'downloadRunLogs',
      summary: 'The whole log as NDJSON',
      query: filterQuery,
      answer: mediaAnswer('A line of JSON for each line', {
        'application/x-ndjson': z.string().describe('A `LogLine` on each line'),
      }),
      sends: ['Content-Disposition'],
    },
    async (request, reply) => {
      const run = await requireRun(store, request.params.id);
      reply
        .header('content-disposition', `attachment; filename="run-${run.id}.ndjson"`)
        .type('application/x-ndjson');
      reply.serializer((payload: unknown) => String(payload));
      return reply.send(Readable.from(downloadOf(store, run.id, filtersOf(request.query))));
    },
  );
}

function registerStream(app: App, deps: RunLogRoutesDeps): void {
  const routes = new Routes(app, group);
  const hub = new RunLogHub(deps);
  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort());

  routes.get(
    '/api/runs/:id/logs/stream',
    {
      id: 'streamRunLogs',
      summary: 'Follow a run: events log, gap, status, progress, end; resumes after Last-Event-ID',
      query: filterQuery,
      headers: z.object({ 'Last-Event-ID': place.optional() }),
      answer: mediaAnswer('Events until the run has ended', {
        'text/event-stream': eventStreamText('RunEvent', runEvents, ['log', 'gap']),
      }),
    },
    async (request, reply) => {
      const run = await requireRun(deps.store, request.params.id);
      const resumed = place.safeParse(request.headers['last-event-id']);
      const after_seq = resumed.success ? resumed.data : request.query.after_seq;
      const stream = openEventStream(request, reply, stopping.signal);
      await streamRunLog(stream, run.id, filtersOf({ ...request.query, after_seq }), { hub, now: deps.now });
    },
  );
}

async function* downloadOf(store: Store, runId: number, filters: LogFilters): AsyncGenerator<string> {
  for (let after: LogPlace | null = filters.after; after !== null; ) {
    const page: LogPage = await selectLogPage(store.logs, runId, { ...filters, after }, DOWNLOAD_CHUNK_LINES);
    if (page.rows.length > 0) yield `${page.rows.map(logLineJson).join('\n')}\n`;
    after = page.next;
  }
}

function filtersOf(query: z.infer<typeof filterQuery>): LogFilters {
  const [first, second] = (query.after_seq ?? '0.0').split('.');
  const after =
    second === undefined
      ? { attempt: 1, seq: Number(first) }
      : { attempt: Number(first), seq: Number(second) };
  return {
    after,
    level: query.level === undefined ? undefined : LOG_LEVELS[query.level],
    step: query.step,
    q: query.q,
  };
}
