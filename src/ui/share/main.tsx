import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from '../api/api-error.ts';
import { createPublicApi } from '../api/public-api.ts';
import { createThemeStore } from '../theme/theme-store.ts';
import { ThemeContext } from '../theme/use-theme.ts';
import { ShareApp } from './share-app.tsx';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/page.css';
import '../styles/widgets.css';
import '../styles/charts.css';
import '../styles/table.css';

/** The last part of `/share/{token}`. */
function tokenFromAddress(path: string): string {
  const part = path.replace(/\/+$/, '').split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const token = tokenFromAddress(location.pathname);
const client: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      // A widget that is refused for good means that the link has changed: the definition says how.
      const refused = error instanceof ApiError && (error.status === 401 || error.status === 404);
      if (refused && query.queryKey[0] === 'widget') {
        void client.invalidateQueries({ queryKey: ['dashboard', token] }, { cancelRefetch: false });
      }
    },
  }),
});

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element "root"');
createRoot(root).render(
  <StrictMode>
    <ThemeContext.Provider value={createThemeStore(document.documentElement)}>
      <QueryClientProvider client={client}>
        <ShareApp token={token} api={createPublicApi(token)} />
      </QueryClientProvider>
    </ThemeContext.Provider>
  </StrictMode>,
);
