import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { shareToken } from '../../http/access.ts';
import { operation } from '../../http/operation.ts';
import { sendJsonText } from '../../http/send-json-text.ts';
import type { App } from '../../http/server.ts';
import { filtersOf } from '../dashboard-widgets/dashboard-widget-routes.ts';
import { exportSender } from '../dashboard-widgets/export/send-export.ts';
import {
  actionAnswer,
  actionBody,
  exportQuery,
  rowsAnswer,
  rowsBody,
  submitAnswer,
  submitBody,
} from '../dashboard-widgets/widget-schemas.ts';
import type { WidgetService } from '../dashboard-widgets/widget-viewer.ts';
import { optionsAnswer, optionsBody } from '../jobs/options/job-options-routes.ts';
import { tokenParams } from './public-dashboard-routes.ts';
import type { CountPublicUse, PublicUse } from './public-limits.ts';
import type { PublicLinks } from './public-links.ts';

const tag = 'Public Dashboards';
/** A mapping of a thousand rows fits ten times. The link is checked before more is read than of any stranger. */
const BODY_BYTES_MAX = 1_048_576;
const ERRORS = ['AUTH_ERROR', 'FORBIDDEN', 'CONNECTOR_ERROR', 'NOT_READY'] as const;
const params = tokenParams.extend({ widget_id: z.string().max(200) });
const at = (use: string) => `/api/public/dashboards/:token/widgets/:widget_id/${use}`;

export interface PublicWidgetRoutesDeps {
  readonly links: PublicLinks;
  readonly widgets: WidgetService;
  readonly count: (use: PublicUse) => CountPublicUse;
}

/** What strangers do with one widget of a shared dashboard. */
export function registerPublicWidgetRoutes(app: App, deps: PublicWidgetRoutesDeps): void {
  registerReads(app, deps);
  registerExport(app, deps);
  registerSubmit(app, deps);
  registerAction(app, deps);
}

function registerReads(app: App, { links, widgets, count }: PublicWidgetRoutesDeps): void {
  const rows = operation({
    id: 'getPublicWidgetRows',
    tag,
    summary: 'A page of a shared table or explorer',
    access: shareToken,
    params,
    body: rowsBody,
    answers: { 200: rowsAnswer },
    errors: ERRORS,
  });
  const bodyLimit = BODY_BYTES_MAX;
  app.post(
    at('rows'),
    { ...rows, bodyLimit, onRequest: [count('rows'), links.admit] },
    async (request, reply) => {
      const { token, widget_id } = request.params;
      const row = await links.open(request, token);
      const { page, ...conditions } = request.body ?? {};
      return sendJsonText(reply, async (signal) =>
        widgets.rows(row, widget_id, { ...page, ...conditions }, await links.viewerOf(request, row, signal)),
      );
    },
  );

  const options = operation({
    id: 'getPublicWidgetOptions',
    tag,
    summary: 'A page of options of a shared form, mapping or action',
    access: shareToken,
    params,
    body: optionsBody,
    answers: { 200: optionsAnswer },
    errors: ERRORS,
  });
  app.post(
    at('options'),
    { ...options, bodyLimit, onRequest: [count('options'), links.admit] },
    async (request, reply) => {
      const { token, widget_id } = request.params;
      const row = await links.open(request, token);
      return sendJsonText(reply, async (signal) =>
        widgets.options(row, widget_id, request.body ?? {}, await links.viewerOf(request, row, signal)),
      );
    },
  );
}

function registerExport(app: App, { links, widgets, count }: PublicWidgetRoutesDeps): void {
  const sendExport = exportSender(app);
  const options = operation({
    id: 'exportPublicWidget',
    tag,
    summary: 'A shared table or explorer as a file',
    description:
      'As `exportWidget`: a failure on the way ends the connection, so that what arrived is known to be cut.',
    access: shareToken,
    params,
    query: exportQuery,
    answers: { 200: z.unknown().describe('text/csv or application/x-ndjson') },
    errors: ERRORS,
  });
  const settings = { ...options, compress: false as const, onRequest: count('export') };
  app.get(at('export'), settings, async (request, reply) => {
    const { token, widget_id } = request.params;
    const row = await links.open(request, token);
    const { filters, ...query } = request.query;
    const conditions = { ...query, filters: filtersOf(filters) };
    return sendExport(reply, async (signal) =>
      widgets.openExport(row, widget_id, conditions, await links.viewerOf(request, row, signal)),
    );
  });
}

function registerSubmit(app: App, { links, widgets, count }: PublicWidgetRoutesDeps): void {
  const countWrite = count('write');
  const submit = operation({
    id: 'submitPublicWidget',
    tag,
    summary: 'Save, or only check, a shared form or field mapping',
    access: shareToken,
    params,
    body: submitBody,
    answers: { 200: submitAnswer },
    errors: [...ERRORS, 'CONFLICT', 'PRECONDITION_FAILED'],
  });
  const settings = { ...submit, bodyLimit: BODY_BYTES_MAX, onRequest: [count('check'), links.admit] };
  app.post(at('submit'), settings, async (request) => {
    const { token, widget_id } = request.params;
    const { value, version, dry_run: dryRun } = request.body;
    // A form asks for checks while it is filled in: they are no writes.
    if (!dryRun) await countWrite(request);
    const row = await links.open(request, token);
    const viewer = await links.viewerOf(request, row, neverAborted());
    const outcome = await widgets.submit(row, widget_id, { value, version, dryRun }, viewer);
    return { ...outcome, problems: [...outcome.problems], hidden: [...outcome.hidden] };
  });
}

function registerAction(app: App, { links, widgets, count }: PublicWidgetRoutesDeps): void {
  const action = operation({
    id: 'runPublicWidgetAction',
    tag,
    summary: 'Use an action of a shared dashboard',
    access: shareToken,
    params,
    body: actionBody,
    answers: { 200: actionAnswer },
    errors: ERRORS,
    idempotent: true,
  });
  const settings = {
    ...action,
    bodyLimit: BODY_BYTES_MAX,
    onRequest: [count('write'), links.admit],
    // An answer that is replayed for its key is behind the link as the first one was.
    preValidation: async (request: FastifyRequest) => {
      await links.open(request, (request.params as { token: string }).token);
    },
  };
  app.post(at('action'), settings, async (request) => {
    const { token, widget_id } = request.params;
    const row = await links.open(request, token);
    const viewer = await links.viewerOf(request, row, neverAborted());
    return widgets.act(row, widget_id, request.body.input, viewer);
  });
}

/** A write that has begun goes on when its sender leaves: half of it would be worse than all of it. */
function neverAborted(): AbortSignal {
  return new AbortController().signal;
}
