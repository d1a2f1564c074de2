import { aName, type WidgetKind } from './widget-kind.ts';

/** An editor of a `field_mapping` entry of `job_config`: `config_key`, or the entry with the widget's id. */
export const fieldMappingWidget: WidgetKind = {
  width: 12,
  bound: false,
  keys: { config_key: aName },
  publicKeys: {},
};
