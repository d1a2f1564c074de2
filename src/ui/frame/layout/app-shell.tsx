import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react';
import { Brand } from '../../kit/brand.tsx';
import { Icon } from '../../kit/icon.tsx';
import { accentOf } from '../../kit/theme/accent.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { type PaletteAction, PaletteActionsContext } from '../palette/palette-actions.ts';
import { PaletteButton } from '../palette/palette-button.tsx';
import { meQuery, useSession } from '../session/session.ts';
import { SessionEnded } from '../session/session-ended.tsx';
import { useApi } from '../state/api-context.ts';
import { brandingQuery } from '../state/branding-query.ts';
import { LanguageChoice, ThemeChoice } from './choices.tsx';
import { LostServer } from './lost-server.tsx';
import { Navigation } from './navigation.tsx';
import { OutdatedPage } from './outdated-page.tsx';

const contentId = 'content';

/** What surrounds every screen of those who are signed in: navigation, account, and the state of server and session. */
export function AppShell(): ReactNode {
  const { frame } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const [actions] = useState(() => new Set<PaletteAction>());
  const { data: branding } = useQuery(brandingQuery(useApi()));
  const accent = accentOf(branding?.primary_color);
  useFocusOnNavigation();
  return (
    <PaletteActionsContext.Provider value={actions}>
      <div className="app" style={accent === null ? undefined : ({ '--accent': accent } as CSSProperties)}>
        <button type="button" className="skip-link" onClick={focusContent}>
          {frame.skip}
        </button>
        <header className="app-side" data-open={isOpen || undefined}>
          <div className="app-bar">
            <Brand branding={branding} />
            <button
              type="button"
              className="icon-button app-menu"
              aria-expanded={isOpen}
              aria-controls="app-panel"
              aria-label={isOpen ? frame.closeMenu : frame.openMenu}
              onClick={() => setOpen(!isOpen)}
            >
              <Icon name={isOpen ? 'x' : 'menu'} size={18} />
            </button>
          </div>
          <div id="app-panel" className="app-panel">
            <div className="app-places">
              <PaletteButton onOpen={() => setOpen(false)} />
              <nav aria-label={frame.navigation}>
                <Navigation onChoose={() => setOpen(false)} />
              </nav>
            </div>
            <Account onChoose={() => setOpen(false)} />
          </div>
        </header>
        <main id={contentId} className="app-content" tabIndex={-1}>
          <LostServer />
          <OutdatedPage />
          <Outlet />
        </main>
        <SessionEnded />
      </div>
    </PaletteActionsContext.Provider>
  );
}

/** A new screen is read from its beginning, also by those who do not see it. */
function useFocusOnNavigation(): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current !== undefined && shown.current !== path) focusContent();
    shown.current = path;
  }, [path]);
}

function focusContent(): void {
  document.getElementById(contentId)?.focus({ preventScroll: true });
}

function Account({ onChoose }: { onChoose(): void }): ReactNode {
  const api = useApi();
  const session = useSession();
  const { frame } = useTexts();
  const { data: me } = useQuery(meQuery(api));
  const signOut = useMutation({
    mutationFn: () => api.POST('/api/auth/logout'),
    onSuccess() {
      session.remember(false);
      // A fresh page: nothing of this user stays in its memory.
      location.assign('/sign-in');
    },
  });
  return (
    <div className="account">
      <LanguageChoice />
      <ThemeChoice />
      {me !== undefined && (
        <Link to="/account" className="account-name" title={frame.signedInAs(me.name)} onClick={onChoose}>
          <Icon name="user" />
          <span>{me.name}</span>
        </Link>
      )}
      <button
        type="button"
        className="text-button"
        disabled={signOut.isPending}
        onClick={() => signOut.mutate()}
      >
        <Icon name="out" />
        {frame.signOut}
      </button>
    </div>
  );
}
