import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import type { CtaPayload, DashboardPayload } from '../api/dashboard-payload.ts';
import { loadCharts } from '../charts/chart-frame.tsx';
import { Icon, isIconName } from '../kit/icon.tsx';
import { SafeLink } from '../kit/text/markdown.tsx';
import type { FilterWords } from '../texts/en/definitions/filters.ts';
import { useWords } from '../texts/words-context.ts';
import { PageTabs, useHashPage } from './page-tabs.tsx';
import { useFirstData } from './use-first-data.ts';
import { WidgetGrid } from './widget-grid.tsx';
import { isChart } from './widget-registry.ts';

/** The charting library is loaded in parallel with the data, but must not delay the request for it. */
const chartsAfterMs = 60;

/** Fetched by dashboards that have filters. */
const FilterBar = lazy(async () => ({ default: (await import('./filters/filter-bar.tsx')).FilterBar }));

interface DashboardProps {
  readonly dashboard: DashboardPayload;
}

/** A page that is nothing but a dashboard. The element `content` is the target of skip links. */
export function DashboardPages({ dashboard }: DashboardProps): ReactNode {
  return (
    <main>
      <PageHead dashboard={dashboard} />
      <DashboardContent dashboard={dashboard} contentId="content" />
    </main>
  );
}

/** A dashboard's tabs and its current page. */
export function DashboardContent({
  dashboard,
  contentId,
  filterWords,
}: DashboardProps & {
  readonly contentId?: string;
  /** Left out on a page without a catalogue: the language of the browser then decides. */
  readonly filterWords?: FilterWords;
}): ReactNode {
  const words = useWords();
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
    <>
      {dashboard.filters !== undefined && dashboard.filters.length > 0 && (
        <Suspense fallback={<div className="filter-bar" data-waiting />}>
          <FilterBar filters={dashboard.filters} words={filterWords} />
        </Suspense>
      )}
      {tabbed && page && <PageTabs pages={dashboard.pages} current={page.id} onSelect={selectPage} />}
      <div id={contentId} className="dashboard-content" tabIndex={-1} data-ready={ready}>
        <div id="page" {...(tabbed && { role: 'tabpanel', 'aria-labelledby': `tab-${page?.id}` })}>
          {page && page.widgets.length > 0 ? (
            <WidgetGrid key={page.id} page={page} />
          ) : (
            <p className="unavailable">{words.emptyPage}</p>
          )}
        </div>
      </div>
    </>
  );
}

/** The dashboard's title, description and calls to action. */
function PageHead({ dashboard }: DashboardProps): ReactNode {
  const words = useWords();
  return (
    <header className="page-head">
      <div className="page-title">
        <h1>{dashboard.title ?? words.dashboard}</h1>
        {dashboard.description && <p>{dashboard.description}</p>}
      </div>
      <Ctas dashboard={dashboard} />
    </header>
  );
}

/** The links that stand above a dashboard. */
export function Ctas({ dashboard }: DashboardProps): ReactNode {
  const words = useWords();
  const ctas = dashboard.navbar_ctas ?? [];
  if (ctas.length === 0) return null;
  return (
    <nav className="ctas" aria-label={words.actions}>
      {ctas.map((cta) => (
        <Cta key={`${cta.label} ${cta.href}`} cta={cta} />
      ))}
    </nav>
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
