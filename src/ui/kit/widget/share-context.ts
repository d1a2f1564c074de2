import { createContext, useContext } from 'react';
import type { WidgetResult } from '../../api/dashboard-payload.ts';
import type { WidgetCalls } from '../../api/widget-calls.ts';

/** What the widgets of a shared dashboard need of it. */
export interface ShareContextValue {
  readonly token: string;
  /** Seconds between refreshes of widgets that name no interval of their own. */
  readonly refreshIntervalSeconds: number | null;
  readonly calls: WidgetCalls;
  /** What is typed and not saved, by widget: it outlives a change of page and the password page. */
  readonly drafts: Map<string, unknown>;
  loadWidget(widgetId: string): Promise<WidgetResult>;
}

export const ShareContext = createContext<ShareContextValue | null>(null);

export function useShare(): ShareContextValue {
  const share = useContext(ShareContext);
  if (share === null) throw new Error('There is no shared dashboard around this component');
  return share;
}
