import { z } from 'zod';
import { member } from '../../http/access.ts';
import { idParams } from '../../http/operation.ts';
import { Routes } from '../../http/routes.ts';
import { sendJsonText } from '../../http/send-json-text.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import { actorOf } from '../audit/audit.ts';
import { requireDashboard } from '../dashboards/dashboard-store.ts';
import { MemberBatch } from './batch/member-batch.ts';
import type { WidgetBatch } from './batch/widget-batch.ts';
import { inputRefusalOf } from './member-viewer.ts';
import { batchAnswer, batchBody } from './widget-schemas.ts';

const group = {
  tag: 'Dashboards',
  read: member('viewer', 'dashboards:read'),
  write: member('viewer', 'dashboards:read'),
};

export interface WidgetDataRoutesDeps {
  readonly store: Store;
  readonly batch: WidgetBatch;
}

/** The data of a dashboard's widgets for members, several at once or one. */
export function registerWidgetDataRoutes(app: App, { store, batch }: WidgetDataRoutesDeps): void {
  const routes = new Routes(app, group);
  const inTime = new MemberBatch(batch);
  routes.post(
    '/api/dashboards/:id/widgets/data',
    {
      id: 'getWidgetsData',
      summary: 'The data of several widgets; one that fails reports it inline',
      body: batchBody,
      answer: batchAnswer,
      errors: ['NOT_READY'],
    },
    async (request, reply) => {
      const row = await requireDashboard(store.read, request.params.id);
      const { widget_ids: widgetIds, wait_ms: waitMs, filter } = request.body ?? {};
      const wanted = { widgetIds, filter, inputRefusal: inputRefusalOf(request) };
      const { type, id } = actorOf(request);
      return sendJsonText(reply, (signal) =>
        waitMs === undefined
          ? batch.run(row, { ...wanted, publicView: false, signal })
          : inTime.run(row, { ...wanted, waitMs, viewer: `${type}/${id}` }, signal),
      );
    },
  );

  routes.get(
    '/api/dashboards/:id/widgets/:widget_id/data',
    {
      id: 'getWidgetData',
      summary: 'The data of one widget',
      params: idParams.extend({ widget_id: z.string().max(200) }),
      answer: batchAnswer,
      errors: ['NOT_READY'],
    },
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
