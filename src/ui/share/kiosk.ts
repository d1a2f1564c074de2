import type { QueryClient } from '@tanstack/react-query';
import type { DashboardPayload } from '../api/dashboard-payload.ts';
import { keepAwake } from '../kit/keep-awake.ts';
import '../styles/kiosk.css';

const secondsMin = 5;
const secondsDefault = 60;
const millisInSecond = 1_000;

/**
 * Shows a shared dashboard without controls, page after page, and then those of the links that the address lists:
 * `/share/TOKEN?kiosk=30&then=TOKEN,TOKEN`. A link that does not answer now is passed over, so that a server that is lost leaves what is
 * known on the screen.
 */
export function startKiosk(client: QueryClient, token: string): void {
  document.documentElement.dataset['kiosk'] = '';
  keepAwake();
  const query = new URLSearchParams(location.search);
  const seconds = Math.max(Number(query.get('kiosk')) || secondsDefault, secondsMin);
  const others = (query.get('then') ?? '').split(',').filter(Boolean);
  const go = async () => {
    if (nextPage(client)) return;
    for (const [index, other] of others.entries()) {
      const address = `/api/public/dashboards/${encodeURIComponent(other)}`;
      const { ok } = await fetch(address).catch(() => ({ ok: false }));
      if (!ok) continue;
      query.set('then', [...others.slice(index + 1), token, ...others.slice(0, index)].join(','));
      // Without the hash, which names a page of this one.
      location.replace(`/share/${encodeURIComponent(other)}?${query}`);
      return;
    }
    showPage(client, 0);
  };
  setInterval(() => void go(), seconds * millisInSecond);
}

function pagesOf(client: QueryClient): DashboardPayload['pages'] {
  return client.getQueryData<DashboardPayload>(['dashboard'])?.pages ?? [];
}

/** Whether there was another page. */
function nextPage(client: QueryClient): boolean {
  const pages = pagesOf(client);
  const named = decodeURIComponent(location.hash.slice(1));
  const at = Math.max(
    pages.findIndex(({ id }) => id === named),
    0,
  );
  return showPage(client, at + 1);
}

function showPage(client: QueryClient, at: number): boolean {
  const page = pagesOf(client)[at];
  if (page === undefined) return false;
  history.replaceState(null, '', `#${encodeURIComponent(page.id)}`);
  dispatchEvent(new HashChangeEvent('hashchange'));
  return true;
}
