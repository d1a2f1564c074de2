import { type ReactNode, useEffect } from 'react';
import type { CtaPayload, DashboardPayload } from '../api/dashboard-payload.ts';
import { loadCharts } from '../charts/chart-frame.tsx';
import { Icon, isIconName } from '../kit/icon.tsx';
import { SafeLink } from '../kit/text/markdown.tsx';
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

/** The dashboard's title, description and calls to action. */
function PageHead({ dashboard }: { readonly dashboard: DashboardPayload }): ReactNode {
  const ctas = dashboard.navbar_ctas ?? [];
  return (
    <header className="page-head">
      <div className="page-title">
        <h1>{dashboard.title ?? 'Dashboard'}</h1>
        {dashboard.description && <p>{dashboard.description}</p>}
      </div>
      {ctas.length > 0 && (
        <nav className="ctas" aria-label="Actions">
          {ctas.map((cta) => (
            <Cta key={`${cta.label} ${cta.href}`} cta={cta} />
          ))}
        </nav>
      )}
    </header>
  );
}

function Cta({ cta }: { readonly cta: CtaPayload }): ReactNode {
  return (
    <div className="cta">
      {cta.text && <span className="cta-text">{cta.text}</span>}
      <SafeLink href={cta.href} className={cta.variant === 'link' ? 'cta-link' : 'button'}>
        {isIconName(cta.icon) && <Icon name={cta.icon} />}
        {cta.label}
      </SafeLink>
    </div>
  );
}
