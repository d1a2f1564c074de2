import { useQueryClient } from '@tanstack/react-query';
import { type CSSProperties, type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { DashboardPayload } from '../api/dashboard-payload.ts';
import { createWidgetBatcher } from '../api/widget-batcher.ts';
import { loadCharts } from '../charts/chart-frame.tsx';
import { PageHead } from '../dashboard/page-head.tsx';
import { PageTabs } from '../dashboard/page-tabs.tsx';
import { RefreshStatus } from '../dashboard/refresh-status.tsx';
import { useFirstData } from '../dashboard/use-first-data.ts';
import { useHashPage } from '../dashboard/use-hash-page.ts';
import { WidgetGrid } from '../dashboard/widget-grid.tsx';
import { isChart } from '../dashboard/widget-registry.ts';
import { safeImageUrl, safeUrl } from '../kit/text/safe-url.ts';
import { accentOf } from '../kit/theme/accent.ts';
import { ShareContext } from '../kit/widget/share-context.ts';
import type { PublicApi } from './public-api.ts';
import { defaultProductName, TopBar } from './top-bar.tsx';

/** The charting library is fetched while the data is on its way, but never delays the request for it. */
const chartsAfterMs = 60;

interface DashboardViewProps {
  readonly token: string;
  readonly api: PublicApi;
  readonly drafts: Map<string, unknown>;
  readonly dashboard: DashboardPayload;
}

/** A dashboard whose shape is known. */
export function DashboardView({ token, api, drafts, dashboard }: DashboardViewProps): ReactNode {
  const [page, selectPage] = useHashPage(dashboard.pages);
  const loadWidget = useMemo(() => createWidgetBatcher(api.widgets), [api]);
  const share = useMemo(
    () => ({
      token,
      loadWidget,
      calls: api,
      drafts,
      refreshIntervalSeconds: dashboard.refresh_interval_seconds,
    }),
    [token, loadWidget, api, drafts, dashboard.refresh_interval_seconds],
  );
  useRenewed(token, dashboard);
  const tabbed = dashboard.pages.length > 1;
  const ready = useFirstData(page);
  const hasCharts = page?.widgets.some((widget) => isChart(widget.type)) ?? false;
  useEffect(() => {
    if (!hasCharts) return;
    // A failed download is told by the chart that needs it.
    const timer = setTimeout(() => void loadCharts().catch(() => {}), chartsAfterMs);
    return () => clearTimeout(timer);
  }, [hasCharts]);
  useEffect(() => {
    document.title = dashboard.title ?? 'Dashboard';
  }, [dashboard.title]);
  const favicon = safeImageUrl(dashboard.branding?.favicon_url);
  useEffect(() => {
    if (favicon !== null) showFavicon(favicon);
  }, [favicon]);

  const accent = accentOf(dashboard.branding?.primary_color);
  const style = accent === null ? undefined : ({ '--accent': accent } as CSSProperties);
  return (
    <ShareContext.Provider value={share}>
      <div className="share" style={style}>
        <button type="button" className="skip-link" onClick={focusContent}>
          Skip to the content
        </button>
        <TopBar branding={dashboard.branding}>
          <RefreshStatus />
        </TopBar>
        <div className="page">
          <PageHead dashboard={dashboard} />
          {tabbed && page && <PageTabs pages={dashboard.pages} current={page.id} onSelect={selectPage} />}
          <main id="content" tabIndex={-1} data-ready={ready}>
            <div id="page" {...(tabbed && { role: 'tabpanel', 'aria-labelledby': `tab-${page?.id}` })}>
              {page && page.widgets.length > 0 ? (
                <WidgetGrid key={page.id} page={page} />
              ) : (
                <p className="unavailable">There is nothing on this page</p>
              )}
            </div>
          </main>
          <Footer dashboard={dashboard} />
        </div>
      </div>
    </ShareContext.Provider>
  );
}

/** Data of a dashboard that was is no data of the one that is: what is in view is asked for again. */
function useRenewed(token: string, dashboard: DashboardPayload): void {
  const client = useQueryClient();
  const known = useRef(dashboard);
  useEffect(() => {
    if (known.current === dashboard) return;
    known.current = dashboard;
    void client.invalidateQueries({ queryKey: ['widget', token] });
  }, [client, token, dashboard]);
}

function showFavicon(href: string): void {
  const known = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const link = known ?? document.head.appendChild(document.createElement('link'));
  link.rel = 'icon';
  link.href = href;
}

/** A button and not a link: the address's hash already names the page in view. */
function focusContent(): void {
  document.getElementById('content')?.focus();
}

function Footer({ dashboard }: { readonly dashboard: DashboardPayload }): ReactNode {
  const support = safeUrl(dashboard.branding?.support_url);
  return (
    <footer className="page-foot">
      <span>{defaultProductName}</span>
      {support !== null && (
        <a href={support} rel="noopener noreferrer">
          Support
        </a>
      )}
    </footer>
  );
}
