import { BarChart, LineChart } from 'echarts/charts';
import { GridSimpleComponent } from 'echarts/components';
import { type EChartsType, init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTheme } from '../kit/theme/use-theme.ts';
import { cartesianOption } from './cartesian-option.ts';
import { readChartColors } from './chart-colors.ts';
import type { Drawing } from './chart-data.ts';
import { addChartPointer } from './chart-pointer.ts';

use([BarChart, LineChart, GridSimpleComponent, CanvasRenderer]);

/** Draws on a canvas that fills its parent; redraws when the size, the theme or the data change. */
export function ChartCanvas({ drawing }: { readonly drawing: Drawing }): ReactNode {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType | null>(null);
  const latest = useRef(drawing);
  const { theme } = useTheme();
  latest.current = drawing;

  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const made = init(element, null, { renderer: 'canvas' });
    chart.current = made;
    let width = element.clientWidth;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth === 0) return;
      made.resize();
      if (element.clientWidth === width) return;
      width = element.clientWidth;
      draw(made, element, latest.current, false);
    });
    observer.observe(element);
    // Paper is light, whatever the theme: the colours are read again before it is printed, and afterwards.
    const paper = matchMedia('print');
    const onPaper = () => {
      draw(made, element, latest.current, false);
      made.getZr().flush();
    };
    paper.addEventListener('change', onPaper);
    const removePointer = addChartPointer(made, element, () => latest.current);
    return () => {
      removePointer();
      paper.removeEventListener('change', onPaper);
      observer.disconnect();
      chart.current = null;
      made.dispose();
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme's colours are read from the style sheet
  useEffect(() => {
    if (chart.current === null || host.current === null) return;
    draw(chart.current, host.current, drawing, !matchMedia('(prefers-reduced-motion: reduce)').matches);
  }, [drawing, theme]);

  return <div ref={host} className="chart-canvas" />;
}

function draw(chart: EChartsType, element: HTMLElement, drawing: Drawing, animate: boolean): void {
  const frame = { width: element.clientWidth, animate };
  const option = cartesianOption(drawing.data, drawing.hidden, readChartColors(element), frame);
  chart.setOption(option, { replaceMerge: ['series', 'xAxis', 'yAxis'] });
}
