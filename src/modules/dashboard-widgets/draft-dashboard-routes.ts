import { z } from 'zod';
import { validationError } from '../../base/errors.ts';
import { sha256 } from '../../base/ids.ts';
import { member } from '../../http/access.ts';
import { Routes } from '../../http/routes.ts';
import { sendJsonText } from '../../http/send-json-text.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import type { ParseDashboard } from '../dashboard-templates/dashboard-template.ts';
import type { DashboardRow } from '../dashboards/dashboard.ts';
import { jsonOf } from '../dashboards/dashboard-snapshot.ts';
import { yamlField } from '../definitions/definition-fields.ts';
import { DASHBOARD_YAML } from '../definitions/yaml-examples.ts';
import { parsedOf } from '../job-templates/job-template.ts';
import { defaultArgs } from '../jobs/job.ts';
import { requireJob } from '../jobs/job-routes.ts';
import { batchText, type WidgetBatch } from './batch/widget-batch.ts';
import { batchAnswer } from './widget-schemas.ts';

const body = z.strictObject({ yaml_content: yamlField.meta({ examples: [DASHBOARD_YAML] }) });
const answer = batchAnswer
  .extend({ document: z.record(z.string(), z.unknown()) })
  .meta({ id: 'DraftDashboard' });

const NO_INPUT = 'This is a draft: what is typed here is not saved';
/** Hexadecimal digits that a whole number holds exactly. */
const ID_DIGITS = 13;

export interface DraftDashboardRoutesDeps {
  readonly store: Store;
  readonly batch: WidgetBatch;
  readonly parseDashboard: ParseDashboard;
}

/** A dashboard that is being written, with the data of a job; nothing is stored. */
export function registerDraftDashboardRoutes(
  app: App,
  { store, batch, parseDashboard }: DraftDashboardRoutesDeps,
): void {
  const routes = new Routes(app, { tag: 'Dashboards', write: member('editor', 'dashboards:write') });
  routes.post(
    '/api/jobs/:id/dashboard-draft',
    {
      id: 'drawDraftDashboard',
      summary: 'What a YAML shows for a job: its document and the data of all widgets; nothing is stored',
      body,
      answer,
      errors: ['NOT_READY'],
    },
    async (request, reply) => {
      const { yaml_content } = request.body;
      const job = await requireJob(store.read, request.params.id);
      const parsed = await parseDashboard(yaml_content, defaultArgs(parsedOf(job)));
      if (!parsed.ok) throw validationError(parsed.problems);
      const row = draftRow(job.id, yaml_content, jsonOf(parsed));
      const asked = { widgetIds: undefined, publicView: false, inputRefusal: NO_INPUT };
      return sendJsonText(reply, async (signal) => {
        const items = await batch.items(row, { ...asked, signal });
        return `{"document":${row.document_json},${batchText(items).slice(1)}`;
      });
    },
  );
}

/** Below zero no dashboard is stored; the same text of the same job has the same id, under which its document is kept. */
function draftRow(
  jobId: number,
  yaml_content: string,
  documents: Pick<DashboardRow, 'document_json' | 'public_json'>,
): DashboardRow {
  return {
    id: -Number.parseInt(sha256(`${jobId} ${documents.document_json}`).slice(0, ID_DIGITS), 16),
    job_id: jobId,
    dashboard_template_id: null,
    name: '',
    description: null,
    yaml_content,
    ...documents,
    share_token_hash: null,
    share_token_encrypted: null,
    share_expires_at: null,
    share_password_hash: null,
    share_embed_origins: null,
    template_version: null,
    template_yaml_hash: null,
    version: 1,
    created_at: 0,
    updated_at: 0,
  };
}
