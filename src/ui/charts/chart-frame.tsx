import { lazy, type ReactNode, Suspense } from 'react';
import type { Drawing } from './chart-data.ts';

/** Loads the charting library; called as soon as a dashboard is known to have a chart. */
export const loadCharts = () => import('./chart-canvas.tsx');

const ChartCanvas = lazy(() => loadCharts().then((module) => ({ default: module.ChartCanvas })));

interface ChartFrameProps {
  readonly drawing: Drawing;
  /** The chart in words. */
  readonly summary: string;
}

/** The chart as an image with a text alternative; the charting library is loaded when the first one is shown. */
export function ChartFrame({ drawing, summary }: ChartFrameProps): ReactNode {
  return (
    <div className="chart-frame" role="img" aria-label={summary}>
      <Suspense fallback={<div className="skeleton chart-skeleton" />}>
        <ChartCanvas drawing={drawing} />
      </Suspense>
    </div>
  );
}
