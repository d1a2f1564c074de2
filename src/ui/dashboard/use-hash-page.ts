import { useSyncExternalStore } from 'react';
import type { PagePayload } from '../api/dashboard-payload.ts';

/** The page that the address names after `#`, else the first; and the way to another, which the back button undoes. */
export function useHashPage(
  pages: readonly PagePayload[],
): readonly [PagePayload | undefined, (pageId: string) => void] {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  const named = decode(hash.slice(1));
  const select = (pageId: string) => {
    history.pushState(null, '', `#${encodeURIComponent(pageId)}`);
    dispatchEvent(new HashChangeEvent('hashchange'));
  };
  return [pages.find((page) => page.id === named) ?? pages[0], select];
}

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  addEventListener('popstate', listener);
  return () => {
    removeEventListener('hashchange', listener);
    removeEventListener('popstate', listener);
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
