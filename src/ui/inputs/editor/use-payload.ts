import { useQueryClient } from '@tanstack/react-query';
import type { WidgetResult } from '../../api/dashboard-payload.ts';
import { afterPress } from '../../kit/after-press.ts';
import { useWidgetHost, widgetKey } from '../../kit/widget/widget-host.ts';

export interface PayloadStore {
  /** Refetches the payload and returns the new one. */
  renew(): Promise<unknown>;
  /** Replaces the payload; resolves once it is rendered. */
  replace(change: (data: unknown) => unknown): Promise<unknown>;
  /** Refetches all visible widgets, without waiting. */
  renewAll(): void;
}

/** Access to a widget's cached payload. */
export function usePayload(widgetId: string): PayloadStore {
  const client = useQueryClient();
  const queryKey = widgetKey(useWidgetHost(), widgetId);
  const current = () => client.getQueryData<WidgetResult>(queryKey)?.data;
  return {
    renew: async () => {
      await client.refetchQueries({ queryKey });
      return current();
    },
    replace: async (change) => {
      // The response of an earlier request would briefly bring back the old payload.
      await client.cancelQueries({ queryKey });
      client.setQueryData<WidgetResult>(queryKey, (was) => ({ data: change(was?.data) }));
      // Observers of the payload are notified in a separate task, and not during a press.
      await new Promise<void>((resolve) => setTimeout(() => afterPress(resolve)));
      return current();
    },
    renewAll: () => void client.refetchQueries({ queryKey: ['widget'], type: 'active' }),
  };
}
