import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { parseJsonText } from '../../base/text/parse-json-text.ts';
import { member } from '../../http/access.ts';
import { idParams, problemSchema } from '../../http/operation.ts';
import { Routes } from '../../http/routes.ts';
import { sendJsonText } from '../../http/send-json-text.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import type { ParseDashboard } from '../dashboard-templates/dashboard-template.ts';
import { requireDashboard } from '../dashboards/dashboard-store.ts';
import { forJobTemplate, YAML_LENGTH_MAX } from '../definitions/definition-fields.ts';
import { DASHBOARD_YAML } from '../definitions/yaml-examples.ts';
import { templateInfo } from '../job-templates/job-template-service.ts';
import { optionsAnswer, optionsBody } from '../jobs/options/job-options-routes.ts';
import type { CountOptions } from '../jobs/options/options-limit.ts';
import { exportSender } from './export/send-export.ts';
import { memberViewer } from './member-viewer.ts';
import {
  actionAnswer,
  actionBody,
  exportAnswer,
  exportQuery,
  filterField,
  filtersField,
  rowsAnswer,
  rowsBody,
  submitAnswer,
  submitBody,
} from './widget-schemas.ts';
import type { WidgetService } from './widget-viewer.ts';

const group = {
  tag: 'Dashboards',
  read: member('viewer', 'dashboards:read'),
  write: member('viewer', 'dashboards:read'),
};
const params = idParams.extend({ widget_id: z.string().max(200) });
const at = (use: string) => `/api/dashboards/:id/widgets/:widget_id/${use}`;
const ERRORS = ['CONNECTOR_ERROR', 'UNPROCESSABLE', 'NOT_READY'] as const;

export interface DashboardWidgetRoutesDeps {
  readonly store: Store;
  readonly widgetService: WidgetService;
  readonly countOptions: CountOptions;
  readonly parseDashboard: ParseDashboard;
}

/** What members do with one widget of a dashboard, and the check of a dashboard that is not saved. */
export function registerDashboardWidgetRoutes(app: App, deps: DashboardWidgetRoutesDeps): void {
  const routes = new Routes(app, group);
  registerReads(routes, deps);
  registerExport(app, deps);
  registerWrites(routes, deps);
  registerValidate(routes, deps);
}

function registerReads(
  routes: Routes,
  { store, widgetService, countOptions }: DashboardWidgetRoutesDeps,
): void {
  routes.post(
    at('rows'),
    {
      id: 'getWidgetRows',
      summary: 'A page of a table or an explorer',
      params,
      body: rowsBody,
      answer: rowsAnswer,
      errors: ERRORS,
    },
    async (request, reply) => {
      const { id, widget_id } = request.params;
      const row = await requireDashboard(store.read, id);
      const { page, ...conditions } = request.body ?? {};
      return sendJsonText(reply, (signal) =>
        widgetService.rows(row, widget_id, { ...page, ...conditions }, memberViewer(request, signal)),
      );
    },
  );
  routes.post(
    at('options'),
    {
      id: 'getWidgetOptions',
      summary: 'A page of options of a form, a field mapping or the input of an action',
      params,
      body: optionsBody,
      answer: optionsAnswer,
      errors: ERRORS,
      onRequest: countOptions,
    },
    async (request, reply) => {
      const { id, widget_id } = request.params;
      const row = await requireDashboard(store.read, id);
      return sendJsonText(reply, (signal) =>
        widgetService.options(row, widget_id, request.body ?? {}, memberViewer(request, signal)),
      );
    },
  );
}

function registerExport(app: App, { store, widgetService }: DashboardWidgetRoutesDeps): void {
  const routes = new Routes(app, group);
  const sendExport = exportSender(app);
  routes.get(
    at('export'),
    {
      id: 'exportWidget',
      summary: 'A table or an explorer as a file',
      description:
        'At most 1,000,000 rows. The file is sent while it is read: a failure on the way ends the connection before the end of the ' +
        'answer, so that what arrived is known to be cut.',
      params,
      query: exportQuery,
      answer: exportAnswer,
      sends: ['Content-Disposition'],
      errors: ERRORS,
      compress: false,
    },
    async (request, reply) => {
      const { id, widget_id } = request.params;
      const row = await requireDashboard(store.read, id);
      const conditions = exportConditions(request.query);
      return sendExport(reply, (signal) =>
        widgetService.openExport(row, widget_id, conditions, memberViewer(request, signal)),
      );
    },
  );
}

function registerWrites(routes: Routes, { store, widgetService }: DashboardWidgetRoutesDeps): void {
  routes.post(
    at('submit'),
    {
      id: 'submitWidget',
      summary: 'Save, or only check, what a form or a field mapping was filled in with; for future runs only',
      access: member('operator', 'jobs:write'),
      params,
      body: submitBody,
      answer: submitAnswer,
      errors: ['CONFLICT', 'PRECONDITION_FAILED', 'UNPROCESSABLE', 'NOT_READY'],
    },
    async (request) => {
      const { id, widget_id } = request.params;
      const row = await requireDashboard(store.read, id);
      const { value, version, dry_run: dryRun } = request.body;
      const outcome = await widgetService.submit(row, widget_id, { value, version, dryRun }, writer(request));
      return { ...outcome, problems: [...outcome.problems], hidden: [...outcome.hidden] };
    },
  );

  routes.post(
    at('action'),
    {
      id: 'runWidgetAction',
      summary: 'Use an action: start its job or task, or make its connector call',
      description:
        'The call is made once, and never again by itself. While the action cools down: 429 with `Retry-After`.',
      access: member('operator', 'jobs:run'),
      params,
      body: actionBody,
      answer: actionAnswer,
      errors: ['CONFLICT', ...ERRORS],
      idempotent: true,
    },
    async (request) => {
      const { id, widget_id } = request.params;
      const row = await requireDashboard(store.read, id);
      return widgetService.act(row, widget_id, request.body.input, writer(request));
    },
  );
}

function registerValidate(routes: Routes, { store, parseDashboard }: DashboardWidgetRoutesDeps): void {
  routes.post(
    '/api/dashboards/validate',
    {
      id: 'validateDashboard',
      summary: 'Check a dashboard’s YAML; all problems at once',
      description: 'With `vars` as a job would snapshot it; without, its variables stay as they stand.',
      query: forJobTemplate,
      body: z.strictObject({
        yaml_content: z
          .string()
          .max(YAML_LENGTH_MAX)
          .meta({ examples: [DASHBOARD_YAML] }),
        vars: z.record(z.string().max(100), z.unknown()).optional(),
      }),
      answer: z.object({
        valid: z.boolean(),
        problems: z.array(problemSchema),
        document: z.record(z.string(), z.unknown()).optional().describe('Normalized: always pages'),
      }),
      errors: ['NOT_FOUND', 'NOT_READY', 'UNPROCESSABLE'],
    },
    async (request) => {
      const { yaml_content, vars } = request.body;
      const template = await templateInfo(store.read, request.query.job_template_id);
      const parsed = await parseDashboard(yaml_content, vars ?? null, { template });
      if (!parsed.ok) return { valid: false, problems: [...parsed.problems] };
      return {
        valid: true,
        problems: [],
        document: parsed.dashboard as unknown as Record<string, unknown>,
      };
    },
  );
}

/** The guard has let them in. A write that has begun is finished even when its sender leaves: half of it would be worse than all of it. */
function writer(request: FastifyRequest) {
  return memberViewer(request, new AbortController().signal, null);
}

/** The query of an export with its JSON texts read. */
export function exportConditions({ filters, filter, ...query }: z.infer<typeof exportQuery>) {
  return { ...query, filters: filtersOf(filters), filter: chosenOf(filter) };
}

function chosenOf(text: string | undefined): Record<string, string> {
  const checked = filterField.safeParse(text === undefined ? {} : parsedJson(text));
  if (checked.success) return checked.data;
  throw new AppError('VALIDATION_ERROR', '"filter" must be a JSON object of texts');
}

function filtersOf(text: string | undefined): Record<string, unknown> {
  const checked = filtersField.safeParse(text === undefined ? {} : parsedJson(text));
  if (checked.success && isRecord(checked.data)) return checked.data;
  throw new AppError('VALIDATION_ERROR', '"filters" must be a JSON object of at most 50 conditions');
}

function parsedJson(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return null;
  }
}
