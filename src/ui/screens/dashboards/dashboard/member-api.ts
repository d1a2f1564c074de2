import { ApiError } from '../../../api/api-error.ts';
import { createWidgetCalls, filterOf } from '../../../api/create-widget-calls.ts';
import type { FilterTexts } from '../../../api/dashboard-payload.ts';
import { post, request } from '../../../api/request.ts';
import type { WidgetResults } from '../../../api/widget-batcher.ts';
import type { WidgetCalls } from '../../../api/widget-calls.ts';

/** A dashboard's data for those who are signed in. */
export interface MemberApi extends WidgetCalls {
  /** Widgets without an answer after `waitMs` are `pending`; at least one is not. */
  widgets(widgetIds: readonly string[], waitMs: number): Promise<WidgetResults>;
}

/** The widget calls of one dashboard, with the session of the user. `onRefusal` is called when the server refuses it. */
export function createMemberApi(id: number, filter: FilterTexts, onRefusal: () => void): MemberApi {
  const base = `/api/dashboards/${id}/widgets`;

  async function ask<T>(url: string, init: RequestInit): Promise<T> {
    try {
      return (await request(url, init)) as T;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) onRefusal();
      throw error;
    }
  }

  return {
    ...createWidgetCalls({ base, ask, filter }),
    widgets: async (widgetIds, waitMs) => {
      const body = { widget_ids: widgetIds, wait_ms: waitMs, ...filterOf(filter) };
      return (await ask<{ widgets?: WidgetResults }>(`${base}/data`, post(body))).widgets ?? {};
    },
  };
}
