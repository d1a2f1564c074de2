import { notifyManager, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createClient } from '../../client/create-client.ts';
import { createSession, SessionContext } from '../frame/session/session.ts';
import { ApiContext } from '../frame/state/api-context.ts';
import { ConnectionContext, createConnection } from '../frame/state/connection.ts';
import { createQueryClient } from '../frame/state/create-query-client.ts';
import { createPageFiles, PageFilesContext } from '../frame/state/page-files.ts';
import { afterPress } from '../kit/after-press.ts';
import { createThemeStore } from '../kit/theme/theme-store.ts';
import { ThemeContext } from '../kit/theme/use-theme.ts';
import { firstLanguage, loadTexts } from '../texts/language.ts';
import { TextsProvider } from '../texts/texts-context.tsx';
import { createAppRouter } from './router.tsx';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/page.css';
import '../styles/messages.css';
import '../styles/fields.css';
import '../styles/actions.css';
import '../styles/combobox.css';
import '../styles/app/frame.css';
import '../styles/app/forms.css';
import '../styles/app/lists.css';
import '../styles/app/account.css';
import '../styles/app/records.css';
import '../styles/app/runs.css';
import '../styles/app/log.css';
import '../styles/app/home.css';
import '../styles/app/letters.css';
import '../styles/app/jobs.css';
import '../styles/app/connectors.css';
import '../styles/app/palette.css';
import '../styles/app/tasks.css';
import '../styles/app/dashboards.css';
import '../styles/app/admin.css';

// Server responses are rendered between presses, so that no button moves away from under the pointer.
notifyManager.setScheduler((show) => setTimeout(() => afterPress(show)));

/** A server that takes longer to say that it is there is lost. */
const HEALTH_MS_MAX = 5_000;

const language = firstLanguage(navigator.languages);
const texts = await loadTexts(language);
document.documentElement.lang = language;

const api = createClient({ server: location.origin });
const session = createSession(() =>
  fetch('/api/auth/me').then(
    ({ status }) => status === 401,
    () => false,
  ),
);
// The demo’s one-time link leads here with a session.
if (location.hash === '#signed-in') {
  session.remember(true);
  history.replaceState(null, '', '/');
}
const connection = createConnection({
  isBack: () =>
    fetch('/api/health', { signal: AbortSignal.timeout(HEALTH_MS_MAX) }).then(
      ({ ok }) => ok,
      () => false,
    ),
  onBack: () => void client.invalidateQueries(),
});
addEventListener('offline', () => connection.report('lost'));
const files = createPageFiles({
  script: new URL(import.meta.url).pathname,
  readPage: async () => {
    const answer = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } });
    return answer.ok ? answer.text() : null;
  },
  onLost: () => connection.report('lost'),
});
addEventListener('vite:preloadError', () => void files.check());
const client = createQueryClient({
  connection,
  onRefusal: () => session.reportRefusal(),
});
const router = createAppRouter({ api, client, session });

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element "root"');
createRoot(root).render(
  <StrictMode>
    <ThemeContext.Provider value={createThemeStore(document.documentElement)}>
      <TextsProvider first={language} firstTexts={texts}>
        <ApiContext.Provider value={api}>
          <SessionContext.Provider value={session}>
            <ConnectionContext.Provider value={connection}>
              <PageFilesContext.Provider value={files}>
                <QueryClientProvider client={client}>
                  <RouterProvider router={router} />
                </QueryClientProvider>
              </PageFilesContext.Provider>
            </ConnectionContext.Provider>
          </SessionContext.Provider>
        </ApiContext.Provider>
      </TextsProvider>
    </ThemeContext.Provider>
  </StrictMode>,
);
