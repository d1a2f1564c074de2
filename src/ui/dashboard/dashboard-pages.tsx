import { type ReactNode, useEffect } from 'react';
import type { DashboardPayload } from '../api/dashboard-payload.ts';
import { loadCharts } from '../charts/chart-frame.tsx';
import { PageHead } from './page-head.tsx';
import { PageTabs, useHashPage } from './page-tabs.tsx';
import { useFirstData } from './use-first-data.ts';
import { WidgetGrid } from './widget-grid.tsx';
import { isChart } from './widget-registry.ts';

/** The charting library is loaded in parallel with the data, but must not delay the request for it. */
const chartsAfterMs = 60;

/** A dashboard's title, tabs and current page. The element `content` is the target of skip links. */
export function DashboardPages({ dashboard }: { readonly dashboard: DashboardPayload }): ReactNode {
  const [page, selectPage] = useHashPage(dashboard.pages);
  const tabbed = dashboard.pages.length > 1;
  const ready = useFirstData(page);
  const hasCharts = page?.widgets.some((widget) => isChart(widget.type)) ?? false;
  useEffect(() => {
    if (!hasCharts) return;
    // The chart itself reports a failed download.
    const timer = setTimeout(() => void loadCharts().catch(() => {}), chartsAfterMs);
    return () => clearTimeout(timer);
  }, [hasCharts]);
  return (
    <main>
      <PageHead dashboard={dashboard} />
      {tabbed && page && <PageTabs pages={dashboard.pages} current={page.id} onSelect={selectPage} />}
      <div id="content" tabIndex={-1} data-ready={ready}>
        <div id="page" {...(tabbed && { role: 'tabpanel', 'aria-labelledby': `tab-${page?.id}` })}>
          {page && page.widgets.length > 0 ? (
            <WidgetGrid key={page.id} page={page} />
          ) : (
            <p className="unavailable">This page is empty</p>
          )}
        </div>
      </div>
    </main>
  );
}
