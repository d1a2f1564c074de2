import { isRecord } from '../../../base/json.ts';
import { evaluateKey, fieldOf, itemsOf, type PayloadInput, textOrNull } from '../widgets/payload-input.ts';
import type { WidgetBinding } from '../widgets/widget-binding.ts';
import type { WidgetBase } from '../widgets/widget-kind.ts';
import type { DashboardFilter, FilterOption } from './dashboard-filter.ts';
import { FILTER_CHARS_MAX } from './filter-values.ts';

const OPTIONS_MAX = 1_000;

export const FILTER_OPTIONS = 'filter_options';

/**
 * The choices of a filter as a widget, so that they are read, scoped, shared and kept as all that is read for a page. A widget's own id
 * has no dot.
 */
export interface FilterOptionsWidget extends WidgetBase {
  readonly type: typeof FILTER_OPTIONS;
}

/** One for each filter whose choices are read. */
export function optionsWidgets(filters: readonly DashboardFilter[] = []): readonly FilterOptionsWidget[] {
  return filters.flatMap(({ id, shared_query, value_expr, label_expr }) => {
    if (shared_query === null) return [];
    const binding: WidgetBinding = { kind: 'shared_query', name: shared_query, transform_expr: null };
    return {
      id: `filter.${id}`,
      type: FILTER_OPTIONS,
      title: null,
      description: null,
      width: 1,
      refresh_interval_seconds: null,
      visible_if_expr: null,
      binding,
      config: {
        ...(value_expr !== null && { value_expr }),
        ...(label_expr !== null && { label_expr }),
      },
    };
  });
}

/** Each value once, in the order of the data; at most 1,000. */
export async function optionsPayload(
  input: PayloadInput,
): Promise<{ readonly options: readonly FilterOption[] }> {
  const items = await itemsOf(input);
  const [column = ''] = Object.keys(items.find(isRecord) ?? {});
  const options = new Map<string, FilterOption>();
  for (const [index, item] of items.entries()) {
    if (options.size >= OPTIONS_MAX) break;
    const names = { item, index };
    const found =
      'value_expr' in input.config
        ? await evaluateKey(input, 'value_expr', names)
        : isRecord(item)
          ? fieldOf(item, column)
          : item;
    const value = textOrNull(found) ?? '';
    if (value === '' || value.length > FILTER_CHARS_MAX || options.has(value)) continue;
    options.set(value, { value, label: textOrNull(await evaluateKey(input, 'label_expr', names)) || value });
  }
  return { options: [...options.values()] };
}
