import type { FilterPayload, FilterTexts } from '../../api/dashboard-payload.ts';

/** What viewers chose of a dashboard's filters. The page around it keeps it in its address. */
export interface FilterHost {
  readonly chosen: FilterTexts;
  /** `null` goes back to the default. */
  choose(changes: Readonly<Record<string, string | null>>): void;
}

const prefix = 'filter.';

/** The key of a filter in an address. */
export function addressKey(id: string): string {
  return `${prefix}${id}`;
}

/** The choices in an address, as far as the dashboard has such filters. */
export function chosenIn(
  filters: readonly FilterPayload[] | undefined,
  read: (key: string) => string | null,
): FilterTexts {
  const chosen = (filters ?? []).flatMap(({ id }) => {
    const text = read(addressKey(id));
    return text === null ? [] : [[id, text] as const];
  });
  return Object.fromEntries(chosen);
}

/** The keys of an address that belong to filters. */
export function isAddressKey(key: string): key is `filter.${string}` {
  return key.startsWith(prefix) && key.length > prefix.length;
}
