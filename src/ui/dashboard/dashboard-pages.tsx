import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import type { CtaPayload, DashboardPayload, PagePayload } from '../api/dashboard-payload.ts';
import { loadCharts } from '../charts/chart-frame.tsx';
import { Icon, isIconName } from '../kit/icon.tsx';
import { SafeLink } from '../kit/text/markdown.tsx';
import { PrintingContext } from '../kit/widget/printing-context.ts';
import type { FilterWords } from '../texts/en/definitions/filters.ts';
import { useWords } from '../texts/words-context.ts';
import { PageTabs, useHashPage } from './page-tabs.tsx';
import { useFirstData } from './use-first-data.ts';
import { usePrinting } from './use-printing.ts';
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

/** A dashboard's tabs and its current page; all pages while they are printed. */
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
  const isPrinting = usePrinting(tabbed);
  const shown = isPrinting ? dashboard.pages : dashboard.pages.filter((one) => one === page);
  const ready = useFirstData(page);
  const hasCharts = shown.some(({ widgets }) => widgets.some(({ type }) => isChart(type)));
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
        <div
          id="page"
          data-printing={isPrinting || undefined}
          {...(tabbed && { role: 'tabpanel', 'aria-labelledby': `tab-${page?.id}` })}
        >
          <PrintingContext value={isPrinting}>
            {shown.map((one) => (
              <Page key={one.id} page={one} hasTitle={tabbed && isPrinting} />
            ))}
          </PrintingContext>
          {tabbed && !isPrinting && <p className="paper-note">{words.printedAlone}</p>}
        </div>
      </div>
    </>
  );
}

function Page({ page, hasTitle }: { readonly page: PagePayload; readonly hasTitle: boolean }): ReactNode {
  const words = useWords();
  return (
    <>
      {hasTitle && <h2 className="printed-title">{page.title}</h2>}
      {page.widgets.length > 0 ? (
        <WidgetGrid page={page} />
      ) : (
        <p className="unavailable">{words.emptyPage}</p>
      )}
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
