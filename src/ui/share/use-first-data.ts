import { useEffect, useState } from 'react';
import type { PagePayload } from '../api/dashboard-payload.ts';
import { widgetBodies } from '../widgets/widget-registry.ts';
import { useRefreshState } from './use-refresh-state.ts';

const patienceMs = 250;

/**
 * Whether to show the grid: as soon as its first data is there, or after a quarter of a second without. A quick
 * server's page is so painted once, with its data, and only a slow one's shows skeletons.
 */
export function useFirstData(page: PagePayload | undefined): boolean {
  const { updatedAt } = useRefreshState();
  const [waited, setWaited] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  const readsData = page?.widgets.some((widget) => widgetBodies.has(widget.type)) ?? false;
  return waited || updatedAt !== null || !readsData;
}
