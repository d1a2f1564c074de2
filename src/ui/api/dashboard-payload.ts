/** The response of `GET /api/public/dashboards/{token}`: the public projection of a dashboard. */
export interface DashboardPayload {
  readonly title: string | null;
  readonly description: string | null;
  readonly refresh_interval_seconds: number | null;
  readonly navbar_ctas?: readonly CtaPayload[];
  readonly branding?: BrandingPayload | null;
  /** Absent in a dashboard of an older version. */
  readonly filters?: readonly FilterPayload[];
  readonly pages: readonly PagePayload[];
}

/** What was chosen, by the ids of filters, as the address has it; an empty text chooses nothing, in place of the default. */
export type FilterTexts = Readonly<Record<string, string>>;

/** A value that viewers choose. */
export interface FilterPayload {
  readonly id: string;
  readonly label: string;
  readonly type: 'select' | 'text' | 'number' | 'date_range' | 'time_range';
  /** Null for a select whose choices are read as the data of `filter.<id>`, and for all but selects. */
  readonly options: readonly FilterOptionPayload[] | null;
  readonly default: string | null;
}

export interface FilterOptionPayload {
  readonly label: string;
  readonly value: string;
}

export interface CtaPayload {
  readonly label: string;
  readonly href: string;
  readonly variant: 'button' | 'link';
  readonly icon?: string | null;
  readonly text?: string | null;
}

export interface BrandingPayload {
  readonly product_name?: string | null;
  readonly logo_url?: string | null;
  readonly favicon_url?: string | null;
  readonly primary_color?: string | null;
  readonly support_url?: string | null;
}

export interface PagePayload {
  readonly id: string;
  readonly title: string;
  readonly widgets: readonly WidgetPayload[];
}

export interface WidgetPayload {
  readonly id: string;
  readonly type: string;
  readonly title: string | null;
  readonly description: string | null;
  /** Number of columns, out of twelve. */
  readonly width: number;
  readonly refresh_interval_seconds: number | null;
  readonly config: Readonly<Record<string, unknown>>;
}

/** One widget's part of a batch response: its data, or why there is none. */
export interface WidgetResult {
  readonly data?: unknown;
  readonly error?: string;
}
