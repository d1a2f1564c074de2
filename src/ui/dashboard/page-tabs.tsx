import { type KeyboardEvent, type ReactNode, useRef, useSyncExternalStore } from 'react';
import type { PagePayload } from '../api/dashboard-payload.ts';
import { useWords } from '../texts/words-context.ts';

interface PageTabsProps {
  readonly pages: readonly PagePayload[];
  readonly current: string;
  onSelect(pageId: string): void;
}

/** The pages as tabs. Arrow keys, Home and End move between them (WAI-ARIA, tabs with automatic activation). */
export function PageTabs({ pages, current, onSelect }: PageTabsProps): ReactNode {
  const words = useWords();
  const list = useRef<HTMLDivElement>(null);

  function move(event: KeyboardEvent): void {
    const at = pages.findIndex((page) => page.id === current);
    const targets: Record<string, number> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      Home: 0,
      End: pages.length - 1,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const index = (target + pages.length) % pages.length;
    const page = pages[index];
    if (page === undefined) return;
    onSelect(page.id);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[index]?.focus();
  }

  return (
    <div className="tabs" role="tablist" aria-label={words.pages} ref={list}>
      {pages.map((page) => (
        <button
          key={page.id}
          type="button"
          role="tab"
          id={`tab-${page.id}`}
          aria-controls="page"
          aria-selected={page.id === current}
          tabIndex={page.id === current ? 0 : -1}
          onClick={() => onSelect(page.id)}
          onKeyDown={move}
        >
          {page.title}
        </button>
      ))}
    </div>
  );
}

/** The page named by the URL's hash, otherwise the first; and a function that selects a page as a new history entry. */
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
