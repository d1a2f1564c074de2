import type { EChartsCoreOption } from 'echarts/core';
import type { ChartColors } from './chart-colors.ts';
import {
  type CartesianData,
  formatAxisMoment,
  formatAxisNumber,
  formatX,
  isCategory,
  isDaysOnly,
  lonePlaces,
} from './chart-data.ts';

export interface ChartFrameSize {
  readonly width: number;
  readonly animate: boolean;
}

/** The ECharts options of a bar or line chart, without the series that the reader has hidden. */
export function cartesianOption(
  data: CartesianData,
  hidden: ReadonlySet<string>,
  colors: ChartColors,
  frame: ChartFrameSize,
): EChartsCoreOption {
  const places = placeAxis(data, colors, frame);
  const values = valueAxis(data, colors, frame);
  return {
    useUTC: isDaysOnly(data.x),
    animation: frame.animate,
    animationDuration: 350,
    animationDurationUpdate: 250,
    textStyle: { fontFamily: colors.font },
    grid: {
      left: 2,
      right: data.horizontal ? 20 : 10,
      top: 10,
      bottom: 8,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    xAxis: data.horizontal ? values : places,
    yAxis: data.horizontal ? { ...places, inverse: true } : values,
    series: data.series
      .filter((series) => !hidden.has(series.label))
      .map((series) => drawn(series, data, colors)),
  };
}

function drawn(series: CartesianData['series'][number], data: CartesianData, colors: ChartColors): object {
  const color = colors.of(series.color);
  const values = isCategory(data)
    ? series.values
    : data.x.map((x, at) => [
        data.xType === 'time' ? Date.parse(String(x)) : Number(x),
        series.values[at] ?? null,
      ]);
  const base = {
    name: series.label,
    data: values,
    ...(data.stacked && { stack: 'all' }),
    emphasis: { disabled: true },
  };
  if (data.kind === 'bar') {
    const radius = data.stacked ? 0 : data.horizontal ? [0, 3, 3, 0] : [3, 3, 0, 0];
    return {
      ...base,
      type: 'bar',
      barMaxWidth: 34,
      barCategoryGap: '28%',
      itemStyle: {
        color,
        borderRadius: radius,
        ...(data.stacked && { borderColor: colors.surface, borderWidth: 0.75 }),
      },
    };
  }
  const lone = lonePlaces(series.values);
  return {
    ...base,
    type: 'line',
    showSymbol: lone.size > 0,
    showAllSymbol: true,
    // No line leads to a point between gaps, so that it is drawn itself.
    symbol:
      lone.size === 0
        ? 'circle'
        : (_value: unknown, { dataIndex }: { readonly dataIndex: number }) =>
            lone.has(dataIndex) ? 'circle' : 'none',
    symbolSize: 7,
    ...(lone.size === 0 && { sampling: 'lttb' }),
    lineStyle: { width: 2, color, join: 'round' },
    itemStyle: { color, borderColor: colors.surface, borderWidth: 2 },
    ...((data.area || data.stacked) && { areaStyle: { color, opacity: data.stacked ? 0.35 : 0.12 } }),
  };
}

function placeAxis(data: CartesianData, colors: ChartColors, frame: ChartFrameSize): object {
  const label = { color: colors.muted, fontSize: 12, hideOverlap: true };
  const line = {
    axisLine: { lineStyle: { color: colors.line } },
    axisTick: { show: false },
    splitLine: { show: false },
  };
  if (isCategory(data)) {
    const width = data.horizontal ? Math.min(150, frame.width * 0.34) : undefined;
    const labels = data.x.map((x) => formatX(x, data.xType));
    return {
      type: 'category',
      data: labels,
      boundaryGap: data.kind === 'bar',
      axisLabel: { ...label, ...(width && { width, overflow: 'truncate' }), margin: 10 },
      ...line,
    };
  }
  if (data.xType === 'value') {
    return {
      type: 'value',
      scale: true,
      axisLabel: { ...label, formatter: (value: number) => formatAxisNumber(value, null) },
      ...line,
    };
  }
  const moments = data.x.map((x) => Date.parse(String(x)));
  const span = Math.max(...moments) - Math.min(...moments);
  const utc = isDaysOnly(data.x);
  return {
    type: 'time',
    splitNumber: Math.max(2, Math.min(8, Math.floor(frame.width / 90))),
    axisLabel: { ...label, margin: 10, formatter: (value: number) => formatAxisMoment(value, span, utc) },
    ...line,
  };
}

function valueAxis(data: CartesianData, colors: ChartColors, frame: ChartFrameSize): object {
  return {
    type: 'value',
    splitNumber: data.horizontal ? Math.max(2, Math.min(5, Math.floor(frame.width / 120))) : 4,
    ...(data.format === 'integer' && { minInterval: 1 }),
    axisLabel: {
      color: colors.muted,
      fontSize: 12,
      hideOverlap: true,
      formatter: (value: number) => formatAxisNumber(value, data.format),
    },
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: colors.line, width: 1 } },
  };
}
