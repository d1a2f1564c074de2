import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { shareToken } from '../../http/access.ts';
import { Routes } from '../../http/routes.ts';
import { sendJsonText } from '../../http/send-json-text.ts';
import type { App } from '../../http/server.ts';
import { exportConditions } from '../dashboard-widgets/dashboard-widget-routes.ts';
import { exportSender } from '../dashboard-widgets/export/send-export.ts';
import {
  actionAnswer,
  actionBody,
  exportAnswer,
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

const group = { tag: 'Public Dashboards', read: shareToken, write: shareToken };
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
  const routes = new Routes(app, group);
  registerReads(routes, deps);
  registerExport(routes, exportSender(app), deps);
  registerSubmit(routes, deps);
  registerAction(routes, deps);
}

function registerReads(routes: Routes, { links, widgets, count }: PublicWidgetRoutesDeps): void {
  const bodyLimit = BODY_BYTES_MAX;
  routes.post(
    at('rows'),
    {
      id: 'getPublicWidgetRows',
      summary: 'A page of a shared table or explorer',
      params,
      body: rowsBody,
      answer: rowsAnswer,
      errors: ERRORS,
      bodyLimit,
      onRequest: [count('rows'), links.admit],
    },
    async (request, reply) => {
      const { token, widget_id } = request.params;
      const row = await links.open(request, token);
      const { page, ...conditions } = request.body ?? {};
      return sendJsonText(reply, async (signal) =>
        widgets.rows(row, widget_id, { ...page, ...conditions }, await links.viewerOf(request, row, signal)),
      );
    },
  );
  routes.post(
    at('options'),
    {
      id: 'getPublicWidgetOptions',
      summary: 'A page of options of a shared form, mapping or action',
      params,
      body: optionsBody,
      answer: optionsAnswer,
      errors: ERRORS,
      bodyLimit,
      onRequest: [count('options'), links.admit],
    },
    async (request, reply) => {
      const { token, widget_id } = request.params;
      const row = await links.open(request, token);
      return sendJsonText(reply, async (signal) =>
        widgets.options(row, widget_id, request.body ?? {}, await links.viewerOf(request, row, signal)),
      );
    },
  );
}

function registerExport(
  routes: Routes,
  sendExport: ReturnType<typeof exportSender>,
  { links, widgets, count }: PublicWidgetRoutesDeps,
): void {
  const settings = {
    id: 'exportPublicWidget',
    summary: 'A shared table or explorer as a file',
    description:
      'As `exportWidget`: a failure on the way ends the connection, so that what arrived is known to be cut.',
    params,
    query: exportQuery,
    answer: exportAnswer,
    sends: ['Content-Disposition'],
    errors: ERRORS,
    compress: false,
    onRequest: count('export'),
  } as const;
  routes.get(at('export'), settings, async (request, reply) => {
    const { token, widget_id } = request.params;
    const row = await links.open(request, token);
    const conditions = exportConditions(request.query);
    return sendExport(reply, async (signal) =>
      widgets.openExport(row, widget_id, conditions, await links.viewerOf(request, row, signal)),
    );
  });
}

function registerSubmit(routes: Routes, { links, widgets, count }: PublicWidgetRoutesDeps): void {
  const countWrite = count('write');
  const settings = {
    id: 'submitPublicWidget',
    summary: 'Save, or only check, a shared form or field mapping',
    params,
    body: submitBody,
    answer: submitAnswer,
    errors: [...ERRORS, 'CONFLICT' as const, 'PRECONDITION_FAILED' as const],
    bodyLimit: BODY_BYTES_MAX,
    onRequest: [count('check'), links.admit],
  };
  routes.post(at('submit'), settings, async (request) => {
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

function registerAction(routes: Routes, { links, widgets, count }: PublicWidgetRoutesDeps): void {
  const settings = {
    id: 'runPublicWidgetAction',
    summary: 'Use an action of a shared dashboard',
    params,
    body: actionBody,
    answer: actionAnswer,
    errors: ERRORS,
    idempotent: true,
    bodyLimit: BODY_BYTES_MAX,
    onRequest: [count('write'), links.admit],
    // An answer that is replayed for its key is behind the link as the first one was.
    preValidation: async (request: FastifyRequest) => {
      await links.open(request, (request.params as { token: string }).token);
    },
  };
  routes.post(at('action'), settings, async (request) => {
    const { token, widget_id } = request.params;
    const row = await links.open(request, token);
    const viewer = await links.viewerOf(request, row, neverAborted());
    return widgets.act(row, widget_id, request.body.input, viewer);
  });
}

/** A write that has begun is finished even when its sender leaves: half of it would be worse than all of it. */
function neverAborted(): AbortSignal {
  return new AbortController().signal;
}
