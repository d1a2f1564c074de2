import { flagOf, listOf, objectOf, textOf, type WidgetConfig } from '../kit/widget/widget-config.ts';
import { type CartesianData, seriesColor, xTypeOf } from './chart-data.ts';

interface CartesianPayload {
  readonly x: readonly unknown[];
  readonly series: readonly { readonly label?: string | null; readonly values?: readonly unknown[] }[];
}

/** Checks a chart's payload and joins it with the presentation keys. Throws `PayloadError`. */
export function readCartesian(kind: 'bar' | 'line', data: unknown, config: WidgetConfig): CartesianData {
  const payload = objectOf<CartesianPayload>(data, 'the points of a chart');
  const x = listOf(payload.x, 'a list of points').map((at) =>
    typeof at === 'number' ? at : String(at ?? ''),
  );
  const styles = Array.isArray(config['series']) ? (config['series'] as readonly { color?: unknown }[]) : [];
  return {
    kind,
    x,
    xType: xTypeOf(config['x_type'], x),
    series: listOf(payload.series, 'a list of series').map((series, index) => ({
      label: series.label ?? `Series ${index + 1}`,
      values: listOf(series.values, 'a list of values').map(numberOrNull),
      color: seriesColor(styles[index]?.color, index),
    })),
    stacked: flagOf(config, 'stacked'),
    horizontal: kind === 'bar' && flagOf(config, 'horizontal'),
    area: flagOf(config, 'area'),
    format: textOf(config, 'format'),
  };
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
