import { type ReactNode, useEffect } from 'react';
import type { DashboardPayload } from '../api/dashboard-payload.ts';
import { loadCharts } from '../charts/chart-frame.tsx';
import { PageHead } from './page-head.tsx';
import { PageTabs, useHashPage } from './page-tabs.tsx';
import { useFirstData } from './use-first-data.ts';
import { WidgetGrid } from './widget-grid.tsx';
import { isChart } from './widget-registry.ts';

/** The charting library is fetched while the data is on its way, but never delays the request for it. */
const chartsAfterMs = 60;

/** A dashboard's title and its page in view. The element `content` is what a link past the top bar leads to. */
export function DashboardPages({ dashboard }: { readonly dashboard: DashboardPayload }): ReactNode {
  const [page, selectPage] = useHashPage(dashboard.pages);
  const tabbed = dashboard.pages.length > 1;
  const ready = useFirstData(page);
  const hasCharts = page?.widgets.some((widget) => isChart(widget.type)) ?? false;
  useEffect(() => {
    if (!hasCharts) return;
    // A failed download is told by the chart that needs it.
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
            <p className="unavailable">There is nothing on this page</p>
          )}
        </div>
      </div>
    </main>
  );
}
