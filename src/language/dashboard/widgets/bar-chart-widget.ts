import { PUBLIC_SERIES_KEYS, SERIES_KEYS } from './series-keys.ts';
import { aFlag, type WidgetKind } from './widget-kind.ts';

/** Bars over a list of records. */
export const barChartWidget: WidgetKind = {
  width: 6,
  bound: true,
  keys: { ...SERIES_KEYS, horizontal: aFlag },
  publicKeys: { ...PUBLIC_SERIES_KEYS, horizontal: true },
};
