import type { EChartsType } from 'echarts/core';
import { formatValue } from '../kit/format-value.ts';
import { isExternal } from '../kit/text/safe-url.ts';
import { readChartColors } from './chart-colors.ts';
import { type CartesianData, type Drawing, formatX, placeNear, placeValue } from './chart-data.ts';

const tipGapPx = 14;

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The plot area, which ECharts knows but its types do not declare. */
interface WithPlot {
  getModel(): { getComponent(name: 'grid'): { coordinateSystem?: { getRect(): Area } } | undefined };
}

/**
 * Shows the values at the point under the mouse or finger, and marks the point. ECharts' own tooltip would add a tenth to its size.
 * Returns a function that removes it.
 */
export function addChartPointer(chart: EChartsType, host: HTMLElement, drawing: () => Drawing): () => void {
  const mark = document.createElement('div');
  mark.className = 'chart-mark';
  const box = document.createElement('div');
  box.className = 'chart-tip';
  host.append(mark, box);

  const hide = () => {
    host.style.cursor = '';
    mark.hidden = true;
    box.hidden = true;
  };
  const move = ({ offsetX, offsetY }: Pointer) => {
    const { data, hidden } = drawing();
    const plot = (chart as unknown as WithPlot).getModel().getComponent('grid')?.coordinateSystem?.getRect();
    const at = pointUnder(chart, data, { offsetX, offsetY });
    if (plot === undefined || at === null) return hide();
    const axis = axisOf(data);
    host.style.cursor = data.links[at] ? 'pointer' : '';
    const centre = Number(chart.convertToPixel(axis, placeValue(data, at)));
    placeMark(mark, plot, data, centre);
    mark.replaceChildren(...dotsAt(chart, host, data, hidden, at, plot.y));
    box.replaceChildren(tipAt(data, hidden, at, host));
    mark.hidden = false;
    box.hidden = false;
    placeTip(box, host, offsetX, offsetY);
  };
  const follow = (pointer: Pointer) => {
    const { data } = drawing();
    const at = pointUnder(chart, data, pointer);
    const href = at === null ? null : data.links[at];
    if (href) followLink(href);
  };
  hide();
  const surface = chart.getZr();
  surface.on('mousemove', move);
  surface.on('globalout', hide);
  surface.on('click', follow);
  return () => {
    surface.off('mousemove', move);
    surface.off('globalout', hide);
    surface.off('click', follow);
    mark.remove();
    box.remove();
  };
}

interface Pointer {
  readonly offsetX: number;
  readonly offsetY: number;
}

function axisOf({ horizontal }: CartesianData) {
  return horizontal ? { yAxisIndex: 0 } : { xAxisIndex: 0 };
}

/** The point nearest to the pointer; null outside of the plot. */
function pointUnder(chart: EChartsType, data: CartesianData, { offsetX, offsetY }: Pointer): number | null {
  if (!chart.containPixel({ gridIndex: 0 }, [offsetX, offsetY])) return null;
  const under = Number(chart.convertFromPixel(axisOf(data), data.horizontal ? offsetY : offsetX));
  return placeNear(data, under);
}

/** As a press of a link would: other sites in a new tab, without a referrer. */
function followLink(href: string): void {
  const link = document.createElement('a');
  link.href = href;
  if (isExternal(href)) Object.assign(link, { target: '_blank', rel: 'noopener noreferrer' });
  link.click();
}

/** Marks a point with a line, or the whole band of a bar. */
function placeMark(mark: HTMLElement, plot: Area, data: CartesianData, centre: number): void {
  const along = data.horizontal ? plot.height : plot.width;
  const size = data.kind === 'bar' ? along / data.x.length : 1;
  const start = centre - size / 2;
  mark.dataset['kind'] = data.kind;
  Object.assign(mark.style, {
    left: `${data.horizontal ? plot.x : start}px`,
    top: `${data.horizontal ? start : plot.y}px`,
    width: `${data.horizontal ? plot.width : size}px`,
    height: `${data.horizontal ? size : plot.height}px`,
  });
}

/** A dot on each line; those of stacked series include the series below. */
function dotsAt(
  chart: EChartsType,
  host: HTMLElement,
  data: CartesianData,
  hidden: ReadonlySet<string>,
  at: number,
  top: number,
): readonly HTMLElement[] {
  if (data.kind === 'bar') return [];
  const colors = readChartColors(host);
  let below = 0;
  return data.series.flatMap((series) => {
    const value = series.values[at];
    if (hidden.has(series.label) || value === null || value === undefined) return [];
    const level = data.stacked ? below + value : value;
    below = level;
    const dot = document.createElement('span');
    dot.style.top = `${Number(chart.convertToPixel({ yAxisIndex: 0 }, level)) - top}px`;
    dot.style.backgroundColor = colors.of(series.color);
    return [dot];
  });
}

function tipAt(data: CartesianData, hidden: ReadonlySet<string>, at: number, host: HTMLElement): HTMLElement {
  const colors = readChartColors(host);
  const rows = data.series
    .filter((series) => !hidden.has(series.label))
    .map((series) => ({
      label: series.label,
      value: formatValue(series.values[at], data.format),
      color: colors.of(series.color),
    }));
  return chartTip(formatX(data.x[at] ?? '', data.xType), rows);
}

interface TipRow {
  readonly label: string;
  readonly value: string;
  readonly color: string;
}

/** A tooltip built of elements, so that strings are never parsed as HTML. */
function chartTip(title: string, rows: readonly TipRow[]): HTMLElement {
  const tip = element('div', 'tip');
  if (title !== '') tip.append(element('p', 'tip-title', title));
  for (const row of rows) {
    const line = element('p', 'tip-row');
    const mark = element('span', 'swatch');
    mark.style.backgroundColor = row.color;
    line.append(mark, element('span', 'tip-label', row.label), element('span', 'tip-value', row.value));
    tip.append(line);
  }
  return tip;
}

function element(name: string, className: string, text?: string): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

/** Places the tooltip next to the pointer, on the side with room, and never outside the chart. */
function placeTip(box: HTMLElement, host: HTMLElement, x: number, y: number): void {
  const { offsetWidth: width, offsetHeight: height } = box;
  const right = x + tipGapPx + width <= host.clientWidth;
  const left = right ? x + tipGapPx : Math.max(0, x - tipGapPx - width);
  const top = Math.max(0, Math.min(y + tipGapPx, host.clientHeight - height));
  box.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
}
