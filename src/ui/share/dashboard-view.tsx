import { useQueryClient } from '@tanstack/react-query';
import { type CSSProperties, type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { DashboardPayload } from '../api/dashboard-payload.ts';
import { createWidgetBatcher } from '../api/widget-batcher.ts';
import { DashboardPages } from '../dashboard/dashboard-pages.tsx';
import { RefreshStatus } from '../dashboard/refresh-status.tsx';
import { defaultProductName } from '../kit/brand.tsx';
import { safeImageUrl, safeUrl } from '../kit/text/safe-url.ts';
import { accentOf } from '../kit/theme/accent.ts';
import { RefreshClock } from '../kit/widget/refresh-clock.ts';
import { WidgetHostContext } from '../kit/widget/widget-host.ts';
import { useWords } from '../texts/words-context.ts';
import type { PublicApi } from './public-api.ts';
import { TopBar } from './top-bar.tsx';
import { useAddressFilters } from './use-address-filters.ts';

interface DashboardViewProps {
  readonly api: PublicApi;
  readonly drafts: Map<string, unknown>;
  readonly dashboard: DashboardPayload;
}

/** The dashboard, once its definition is known. */
export function DashboardView({ api, drafts, dashboard }: DashboardViewProps): ReactNode {
  const words = useWords();
  const filter = useAddressFilters(dashboard.filters);
  const calls = useMemo(() => api.choosing(filter.chosen), [api, filter.chosen]);
  const loadWidget = useMemo(() => createWidgetBatcher(calls.widgets), [calls]);
  const host = useMemo(
    () => ({
      // A share page shows only one dashboard.
      cacheKey: JSON.stringify(filter.chosen),
      clock: new RefreshClock(() => document.visibilityState === 'hidden'),
      loadWidget,
      calls,
      filter,
      drafts,
      refreshIntervalSeconds: dashboard.refresh_interval_seconds,
    }),
    [loadWidget, calls, filter, drafts, dashboard.refresh_interval_seconds],
  );
  useRenewed(dashboard);
  useEffect(() => {
    document.title = dashboard.title ?? words.dashboard;
  }, [dashboard.title, words]);
  const favicon = safeImageUrl(dashboard.branding?.favicon_url);
  useEffect(() => {
    if (favicon !== null) showFavicon(favicon);
  }, [favicon]);

  const accent = accentOf(dashboard.branding?.primary_color);
  const style = accent === null ? undefined : ({ '--accent': accent } as CSSProperties);
  return (
    <WidgetHostContext.Provider value={host}>
      <div className="share" style={style}>
        <button type="button" className="skip-link" onClick={focusContent}>
          {words.share.skip}
        </button>
        <TopBar branding={dashboard.branding}>
          <RefreshStatus />
        </TopBar>
        <div className="page">
          <DashboardPages dashboard={dashboard} />
          <Footer dashboard={dashboard} />
        </div>
      </div>
    </WidgetHostContext.Provider>
  );
}

/** When the definition changes, data of the previous one no longer counts: the visible widgets are refreshed. */
function useRenewed(dashboard: DashboardPayload): void {
  const client = useQueryClient();
  const known = useRef(dashboard);
  useEffect(() => {
    if (known.current === dashboard) return;
    known.current = dashboard;
    void client.invalidateQueries({ queryKey: ['widget'] });
  }, [client, dashboard]);
}

function showFavicon(href: string): void {
  const known = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const link = known ?? document.head.appendChild(document.createElement('link'));
  link.rel = 'icon';
  link.href = href;
}

/** Not a link, because the URL's hash already names the current page. */
function focusContent(): void {
  document.getElementById('content')?.focus();
}

function Footer({ dashboard }: { readonly dashboard: DashboardPayload }): ReactNode {
  const words = useWords();
  const support = safeUrl(dashboard.branding?.support_url);
  return (
    <footer className="page-foot">
      <span>{defaultProductName}</span>
      {support !== null && (
        <a href={support} rel="noopener noreferrer">
          {words.share.support}
        </a>
      )}
    </footer>
  );
}
