import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { PagePayload } from '../api/dashboard-payload.ts';
import { useRefreshState } from './use-refresh-state.ts';
import { bodyQuery, hasBody } from './widget-registry.ts';

const patienceMs = 250;
const patienceUnknownMs = 1000;
/** Their height depends on their data: a skeleton cannot reserve it. */
const unknownHeights: ReadonlySet<string> = new Set(['form', 'field_mapping', 'people', 'steps']);

/**
 * Whether to show the grid: as soon as the first data and the necessary components have been loaded, or after a quarter of a
 * second; after a second if the data would move what is shown. So the page of a fast server is painted once, with its data, and
 * skeletons are shown only for a slow one.
 */
export function useFirstData(page: PagePayload | undefined): boolean {
  const client = useQueryClient();
  const { updatedAt } = useRefreshState();
  const [waited, setWaited] = useState(false);
  const [complete, setComplete] = useState(false);
  const types = [...new Set(page?.widgets.map((widget) => widget.type))].filter(hasBody);
  const wanted = types.join(' ');
  const patience = types.some((type) => unknownHeights.has(type)) ? patienceUnknownMs : patienceMs;
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), patience);
    return () => clearTimeout(timer);
  }, [patience]);
  useEffect(() => {
    // The widget itself reports a failed download.
    const loading = wanted.split(' ').filter(Boolean);
    void Promise.all(loading.map((type) => client.prefetchQuery(bodyQuery(type)))).then(() =>
      setComplete(true),
    );
  }, [client, wanted]);
  return waited || (complete && (updatedAt !== null || types.length === 0));
}
