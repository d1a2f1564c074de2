import { useQueryClient } from '@tanstack/react-query';
import type { WidgetResult } from '../../api/dashboard-payload.ts';
import { afterPress } from '../../kit/after-press.ts';
import { useWidgetHost, widgetKey } from '../../kit/widget/widget-host.ts';

export interface PayloadStore {
  /** Asks the server again, and gives the payload there is then. */
  renew(): Promise<unknown>;
  /** Puts another payload in its place; resolves once it is shown. */
  replace(change: (data: unknown) => unknown): Promise<unknown>;
  /** Asks for everything in view again, without waiting. */
  renewAll(): void;
}

/** The payload of a widget as the page keeps it. */
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
      // An answer that was asked for before would bring the old payload back for a moment.
      await client.cancelQueries({ queryKey });
      client.setQueryData<WidgetResult>(queryKey, (was) => ({ data: change(was?.data) }));
      // What watches the payload hears of it in a task of its own, and not while a button is pressed.
      await new Promise<void>((resolve) => setTimeout(() => afterPress(resolve)));
      return current();
    },
    renewAll: () => void client.refetchQueries({ queryKey: ['widget'], type: 'active' }),
  };
}
