import { PUBLIC_SERIES_KEYS, SERIES_KEYS } from './series-keys.ts';
import { aFlag, type WidgetKind } from './widget-kind.ts';

/** Lines or areas over a list of records. */
export const lineChartWidget: WidgetKind = {
  width: 6,
  bound: true,
  keys: { ...SERIES_KEYS, area: aFlag },
  publicKeys: { ...PUBLIC_SERIES_KEYS, area: true },
};
