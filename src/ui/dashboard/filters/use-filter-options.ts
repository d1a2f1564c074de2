import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { FilterOptionPayload, FilterPayload } from '../../api/dashboard-payload.ts';
import { addressKey } from '../../kit/widget/filter-choice.ts';
import { useWidgetHost, widgetKey } from '../../kit/widget/widget-host.ts';

/** The choices of a filter that are read from a connector, with the widgets of the page; undefined until they are there. */
export function useFilterOptions(filter: FilterPayload): readonly FilterOptionPayload[] | undefined {
  const host = useWidgetHost();
  const id = addressKey(filter.id);
  const { data } = useQuery({
    queryKey: widgetKey(host, id),
    queryFn: () => host.loadWidget(id),
    enabled: filter.type === 'select' && filter.options === null,
    networkMode: 'always',
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (data?.data as { options?: readonly FilterOptionPayload[] } | undefined)?.options;
}
