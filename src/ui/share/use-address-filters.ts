import { useMemo, useSyncExternalStore } from 'react';
import type { FilterPayload } from '../api/dashboard-payload.ts';
import { addressKey, chosenIn, type FilterHost } from '../kit/widget/filter-choice.ts';

/** The choices of filters in the address of a page that has no router. */
export function useAddressFilters(filters: readonly FilterPayload[] | undefined): FilterHost {
  const search = useSyncExternalStore(subscribe, () => location.search);
  return useMemo(() => {
    const query = new URLSearchParams(search);
    return {
      chosen: chosenIn(filters, (key) => query.get(key)),
      choose: (changes) => {
        const next = new URLSearchParams(location.search);
        for (const [id, text] of Object.entries(changes)) {
          if (text === null) next.delete(addressKey(id));
          else next.set(addressKey(id), text);
        }
        const text = next.toString();
        history.pushState(null, '', `${location.pathname}${text && `?${text}`}${location.hash}`);
        dispatchEvent(new PopStateEvent('popstate'));
      },
    };
  }, [search, filters]);
}

function subscribe(listener: () => void): () => void {
  addEventListener('popstate', listener);
  return () => removeEventListener('popstate', listener);
}
