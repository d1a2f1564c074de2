import { aName, aText, oneOf, type WidgetKind } from './widget-kind.ts';

/** Typed fields that write a `form` entry of `job_config`: `config_key`, or the entry with the widget's id. */
export const formWidget: WidgetKind = {
  width: 6,
  bound: false,
  keys: { config_key: aName, submit_label: aText, layout: oneOf('one_column', 'two_columns') },
  publicKeys: { submit_label: true, layout: true },
};
