import { ExplorerWidget } from '../explorer/explorer-widget.tsx';
import { ActionWidget } from '../inputs/action/action-widget.tsx';
import { FormWidget } from '../inputs/form/form-widget.tsx';
import { MappingWidget } from '../inputs/mapping/mapping-widget.tsx';
import type { WidgetBody } from '../kit/widget/widget-body.ts';

/** The components of interactive widgets: a separate chunk, loaded only by pages with such a widget. */
export const inputBodies: ReadonlyMap<string, WidgetBody> = new Map<string, WidgetBody>([
  ['form', FormWidget],
  ['field_mapping', MappingWidget],
  ['action', ActionWidget],
  ['explorer', ExplorerWidget],
]);
