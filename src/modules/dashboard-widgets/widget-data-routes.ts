import { z } from 'zod';
import { member } from '../../http/access.ts';
import { idParams, operation } from '../../http/operation.ts';
import { sendJsonText } from '../../http/send-json-text.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import { requireDashboard } from '../dashboards/dashboard-store.ts';
import type { WidgetBatch } from './batch/widget-batch.ts';
import { inputRefusalOf } from './member-viewer.ts';
import { batchAnswer, batchBody } from './widget-schemas.ts';

const tag = 'Dashboards';
const read = member('viewer', 'dashboards:read');

export interface WidgetDataRoutesDeps {
  readonly store: Store;
  readonly batch: WidgetBatch;
}

/** The data of a dashboard's widgets for members, several at once or one. */
export function registerWidgetDataRoutes(app: App, { store, batch }: WidgetDataRoutesDeps): void {
  app.post(
    '/api/dashboards/:id/widgets/data',
    operation({
      id: 'getWidgetsData',
      tag,
      summary: 'The data of several widgets; one that fails reports it inline',
      access: read,
      params: idParams,
      body: batchBody,
      answers: { 200: batchAnswer },
      errors: ['NOT_READY'],
    }),
    async (request, reply) => {
      const row = await requireDashboard(store.read, request.params.id);
      return sendJsonText(reply, (signal) =>
        batch.run(row, {
          widgetIds: request.body?.widget_ids,
          publicView: false,
          inputRefusal: inputRefusalOf(request),
          signal,
        }),
      );
    },
  );

  app.get(
    '/api/dashboards/:id/widgets/:widget_id/data',
    operation({
      id: 'getWidgetData',
      tag,
      summary: 'The data of one widget',
      access: read,
      params: idParams.extend({ widget_id: z.string().max(200) }),
      answers: { 200: batchAnswer },
      errors: ['NOT_READY'],
    }),
    async (request, reply) => {
      const { id, widget_id } = request.params;
      const row = await requireDashboard(store.read, id);
      const inputRefusal = inputRefusalOf(request);
      return sendJsonText(reply, (signal) =>
        batch.runOne(row, widget_id, { publicView: false, inputRefusal, signal }),
      );
    },
  );
}
