import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { DashboardContent } from '../../../dashboard/dashboard-pages.tsx';
import { useRefreshState } from '../../../dashboard/use-refresh-state.ts';
import { Placeholder } from '../../../frame/layout/loaded.tsx';
import { Problem } from '../../../frame/layout/problem.tsx';
import { useSession, useSessionEnded } from '../../../frame/session/session.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { useConnection } from '../../../frame/state/connection.ts';
import { EmptyState } from '../../../kit/empty-state.tsx';
import { formatValue } from '../../../kit/format-value.ts';
import { Icon } from '../../../kit/icon.tsx';
import { keepAwake } from '../../../kit/keep-awake.ts';
import type { FilterHost } from '../../../kit/widget/filter-choice.ts';
import { WidgetHostContext } from '../../../kit/widget/widget-host.ts';
import { useCatalogue, useTexts } from '../../../texts/texts-context.tsx';
import { payloadOf, useMemberHost } from '../dashboard/member-host.ts';
import { kioskIds, kioskSecondsDefault } from './kiosk-search.ts';
import { type Turn, useTurns } from './use-turns.ts';
import '../dashboard/widget-styles.ts';
import '../../../styles/kiosk.css';

const route = getRouteApi('/kiosk');
const millisInSecond = 1_000;
/** The controls and the pointer go after this time without a movement. */
const idleMs = 3_000;
/** A session that has ended is looked for again this often: somebody may have signed in elsewhere in this browser. */
const sessionAgainMs = 10_000;
/** Widgets without an interval of their own or of their dashboard are refreshed this often. */
const refreshSecondsDefault = 60;
const placeholderLines = 12;
const noFilter: FilterHost = { chosen: {}, choose: () => undefined };
const inputs: ReadonlySet<string> = new Set(['form', 'field_mapping', 'action']);

/** Dashboards on a wall: page after page, without controls, for as long as the display is on. */
export function KioskScreen(): ReactNode {
  const { dashboards: listed, seconds = kioskSecondsDefault } = route.useSearch();
  const { dashboards } = useTexts();
  const ids = kioskIds(listed);
  const { turn, problem, next } = useTurns(ids, seconds * millisInSecond);
  const isAwake = useAwake();
  useSessionWatch();
  useEffect(keepAwake, []);
  const first = ids[0];
  return (
    <main className="kiosk" data-kiosk data-idle={!isAwake || undefined}>
      {first === undefined ? (
        <EmptyState>{dashboards.kiosk.none}</EmptyState>
      ) : turn !== null ? (
        <KioskPage key={`${turn.dashboard.id} ${turn.page.id}`} turn={turn} />
      ) : problem !== null ? (
        <Problem error={problem} onRetry={next} />
      ) : (
        <Placeholder lines={placeholderLines} />
      )}
      <KioskStatus />
      <nav className="kiosk-controls" aria-label={dashboards.kiosk.title}>
        {document.fullscreenEnabled && (
          <button
            type="button"
            className="icon-button"
            aria-label={dashboards.fullScreen}
            title={dashboards.fullScreen}
            onClick={() => void document.documentElement.requestFullscreen()}
          >
            <Icon name="full" />
          </button>
        )}
        <button
          type="button"
          className="icon-button"
          aria-label={dashboards.kiosk.next}
          title={dashboards.kiosk.next}
          onClick={next}
        >
          <Icon name="right" />
        </button>
        <Link
          to="/dashboards"
          className="icon-button"
          aria-label={dashboards.kiosk.leave}
          title={dashboards.kiosk.leave}
          onClick={() => void document.exitFullscreen().catch(() => undefined)}
        >
          <Icon name="x" />
        </Link>
      </nav>
    </main>
  );
}

/** One page without its inputs: nobody stands at a wall to fill in a form. */
function KioskPage({ turn: { dashboard, page } }: { readonly turn: Turn }): ReactNode {
  const host = useMemberHost(dashboard, noFilter, refreshSecondsDefault);
  const { filters } = useTexts();
  const payload = payloadOf(dashboard);
  const shown = useMemo(
    () => ({
      ...payload,
      filters: [],
      pages: [{ ...page, widgets: page.widgets.filter(({ type }) => !inputs.has(type)) }],
    }),
    [payload, page],
  );
  const isOnly = payload.pages.length < 2;
  return (
    <WidgetHostContext.Provider value={host}>
      <h1>
        {dashboard.name}
        {!isOnly && <span className="kiosk-page"> · {page.title}</span>}
      </h1>
      <DashboardContent dashboard={shown} filterWords={filters} />
    </WidgetHostContext.Provider>
  );
}

/** What is wrong, and how old that makes what is shown; nothing while all is well. */
function KioskStatus(): ReactNode {
  const { locale, texts } = useCatalogue();
  const { dashboards } = texts;
  const { failing, staleSince } = useRefreshState();
  const isLost = useConnection() === 'lost';
  const hasEnded = useSessionEnded();
  const isWrong = hasEnded || failing || isLost;
  const since = staleSince === null ? '' : formatValue(staleSince, 'datetime', { locale });
  return (
    <p className="kiosk-status" role="status" data-shown={isWrong || undefined}>
      {isWrong && (
        <>
          <Icon name="alert" size={14} />
          {hasEnded ? dashboards.kiosk.signedOut : dashboards.kiosk.lost}
          {since !== '' && ` · ${dashboards.kiosk.staleSince(since)}`}
          {hasEnded && (
            <a href={`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`}>
              {texts.signIn.title}
            </a>
          )}
        </>
      )}
    </p>
  );
}

/** Goes on once there is a session again, without being touched. */
function useSessionWatch(): void {
  const api = useApi();
  const client = useQueryClient();
  const session = useSession();
  const hasEnded = useSessionEnded();
  useEffect(() => {
    if (!hasEnded) return undefined;
    const timer = setInterval(async () => {
      const me = await api.GET('/api/auth/me').catch(() => null);
      if (me === null) return;
      session.reportRenewal();
      void client.invalidateQueries();
    }, sessionAgainMs);
    return () => clearInterval(timer);
  }, [api, client, session, hasEnded]);
}

/** Whether the pointer has moved or a key was pressed of late. */
function useAwake(): boolean {
  const [isAwake, setAwake] = useState(true);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    const wake = () => {
      setAwake(true);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setAwake(false), idleMs);
    };
    wake();
    addEventListener('pointermove', wake);
    addEventListener('keydown', wake);
    return () => {
      clearTimeout(timer.current);
      removeEventListener('pointermove', wake);
      removeEventListener('keydown', wake);
    };
  }, []);
  return isAwake;
}
