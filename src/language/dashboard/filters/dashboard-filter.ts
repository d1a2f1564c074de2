export const FILTER_TYPES = ['select', 'text', 'number', 'date_range', 'time_range'] as const;

export interface FilterOption {
  readonly label: string;
  readonly value: string;
}

/** A value that viewers of a dashboard choose; expressions read it as `filter.<id>`. */
export interface DashboardFilter {
  readonly id: string;
  readonly label: string;
  readonly type: (typeof FILTER_TYPES)[number];
  /** Of a `select` without `shared_query`: the only values that it has. */
  readonly options: readonly FilterOption[] | null;
  /** Of a `select`: the query whose rows are its options. */
  readonly shared_query: string | null;
  readonly value_expr: string | null;
  readonly label_expr: string | null;
  /** In the form in which an address has it; null for none. */
  readonly default: string | null;
}
