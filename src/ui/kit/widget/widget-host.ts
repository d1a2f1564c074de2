import { createContext, useContext } from 'react';
import type { TimedResult } from '../../api/widget-batcher.ts';
import type { WidgetCalls } from '../../api/widget-calls.ts';
import type { FilterHost } from './filter-choice.ts';
import type { RefreshClock } from './refresh-clock.ts';

/**
 * How the widgets of a dashboard get their data, save and act. The page around them supplies it: a widget does not know on which
 * page it is, nor how its calls are authenticated.
 */
export interface WidgetHost {
  /** Separates this dashboard's cached data from that of others. */
  readonly cacheKey: string;
  /** Seconds between refreshes of widgets without an interval of their own; null for none. */
  readonly refreshIntervalSeconds: number | null;
  readonly clock: RefreshClock;
  readonly calls: WidgetCalls;
  readonly filter: FilterHost;
  /** Unsaved edits by widget id. They survive a change of page and whatever else takes the widgets off the screen. */
  readonly drafts: Map<string, unknown>;
  /** A widget's data as of now. Rejects with `ApiError`. */
  loadWidget(widgetId: string): Promise<TimedResult>;
}

export const WidgetHostContext = createContext<WidgetHost | null>(null);

export function useWidgetHost(): WidgetHost {
  const host = useContext(WidgetHostContext);
  if (host === null) throw new Error('There is no WidgetHostContext around this component');
  return host;
}

/** The query key of a widget's data. */
export function widgetKey(host: Pick<WidgetHost, 'cacheKey'>, widgetId: string): readonly string[] {
  return ['widget', host.cacheKey, widgetId];
}
