import type { Handlers } from '../threads/serve-calls.ts';
import { computeWidgets } from './compute-widgets.ts';
import { exportPage } from './export/export-page.ts';

import { missingOptions, optionPage } from './options/option-page.ts';
import { prepareAction } from './prepare-action.ts';
import { rowsPage } from './rows-page.ts';
import type { WidgetKit } from './widget-kit.ts';

/** The tasks of dashboards and options. */
export type WidgetCall =
  | 'widgets'
  | 'options'
  | 'missing_options'
  | 'widget_rows'
  | 'widget_export'
  | 'prepare_action';

/** What a thread does for each of them. */
export function widgetHandlers(kit: WidgetKit): Handlers<WidgetCall> {
  return {
    widgets: (input, signal, emit) => computeWidgets(kit, input, signal, emit),
    options: async (input, signal) => JSON.stringify(await optionPage(kit, input, signal)),
    missing_options: (input, signal) => missingOptions(kit, input, signal),
    widget_rows: async (input, signal) => JSON.stringify(await rowsPage(kit, input, signal)),
    widget_export: (input, signal) => exportPage(kit, input, signal),
    prepare_action: (input) => prepareAction(kit, input),
  };
}
