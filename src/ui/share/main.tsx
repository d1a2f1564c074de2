import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { afterPress } from '../kit/after-press.ts';
import { createThemeStore } from '../kit/theme/theme-store.ts';
import { ThemeContext } from '../kit/theme/use-theme.ts';
import { loadWords } from '../texts/load-words.ts';
import { english, WordsContext } from '../texts/words-context.ts';
import { createPublicApi } from './public-api.ts';
import { ShareApp } from './share-app.tsx';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/page.css';
import '../styles/messages.css';
import '../styles/cards.css';
import '../styles/widgets.css';
import '../styles/lists.css';
import '../styles/charts.css';
import '../styles/table.css';
import '../styles/fields.css';
import '../styles/combobox.css';
import '../styles/editor.css';
import '../styles/mapping.css';
import '../styles/actions.css';
import '../styles/explorer.css';
import '../styles/filters.css';
import '../styles/print.css';

/** The last segment of `/share/{token}`. */
function tokenFromAddress(path: string): string {
  const part = path.replace(/\/+$/, '').split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

// Server responses are rendered between presses, so that no button moves away from under the pointer.
notifyManager.setScheduler((show) => setTimeout(() => afterPress(show)));

const token = tokenFromAddress(location.pathname);
const client = new QueryClient();
const definitionAgain = () =>
  void client.invalidateQueries({ queryKey: ['dashboard'] }, { cancelRefetch: false });

if (new URLSearchParams(location.search).has('kiosk'))
  void import('./kiosk.ts').then(({ startKiosk }) => startKiosk(client, token));

const words = await loadWords(navigator.languages);

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element "root"');
createRoot(root).render(
  <StrictMode>
    <ThemeContext.Provider value={createThemeStore(document.documentElement)}>
      <WordsContext.Provider value={words ?? english}>
        <QueryClientProvider client={client}>
          <ShareApp api={createPublicApi(token, definitionAgain)} />
        </QueryClientProvider>
      </WordsContext.Provider>
    </ThemeContext.Provider>
  </StrictMode>,
);
