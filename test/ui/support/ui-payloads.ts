/** Payloads in the flavour of the flights data set, one widget of each type, as the server would send them. */
export const xssCorpus: readonly string[] = [
  '<script>window.__xss=1</script>',
  '<img src=x onerror="window.__xss=1">',
  '"><svg onload=window.__xss=1>',
  "javascript:window.__xss=1//'",
  '{{constructor.constructor("window.__xss=1")()}}',
  '</style><script>window.__xss=1</script>',
  '[click](javascript:window.__xss=1)',
  '[tab](java\tscript:window.__xss=1)',
  '\u0000<b>\u202Ereversed</b>',
];

const longWord = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen'.repeat(3);

interface WidgetSketch {
  readonly id: string;
  readonly type: string;
  readonly width: number;
  readonly title?: string;
  readonly description?: string;
  readonly every?: number;
  readonly config?: Record<string, unknown>;
}

function widget({ every, title, description, config, ...rest }: WidgetSketch) {
  return {
    ...rest,
    title: title ?? null,
    description: description ?? null,
    refresh_interval_seconds: every ?? null,
    config: config ?? {},
  };
}

const introduction =
  'Every domestic flight of a year, loaded from **one Parquet file** by the task `load_flights`. ' +
  'Delays are in minutes; a flight counts as late from [15 minutes](https://www.bts.gov/) on.';

const overview = [
  widget({
    id: 'intro',
    type: 'heading',
    width: 12,
    config: { text: 'The year at a glance', style: 'section', body: introduction },
  }),
  widget({
    id: 'flights',
    type: 'stat',
    title: 'Flights',
    width: 3,
    config: { format: 'integer', trend: 'up_is_good' },
  }),
  widget({
    id: 'on_time',
    type: 'stat',
    title: 'On time',
    width: 3,
    config: { format: 'percent', trend: 'up_is_good' },
  }),
  widget({
    id: 'delay',
    type: 'stat',
    title: 'Average delay',
    width: 3,
    config: { format: 'number', unit: 'min', trend: 'down_is_good' },
  }),
  widget({ id: 'size', type: 'stat', title: 'Data read', width: 3, config: { format: 'bytes' } }),
  widget({
    id: 'by_day',
    type: 'line_chart',
    title: 'Average delay by day',
    description: 'Departure and arrival, in minutes',
    width: 8,
    config: { x_type: 'time', format: 'number', area: false },
  }),
  widget({
    id: 'causes',
    type: 'pie_chart',
    title: 'Flights by length',
    width: 4,
    config: { donut: true, format: 'integer' },
  }),
  widget({
    id: 'load',
    type: 'task_progress',
    title: 'Loading flights',
    width: 6,
    config: { task_key: 'load_flights' },
  }),
  widget({ id: 'year', type: 'progress', title: 'Days loaded', width: 3, config: { format: 'integer' } }),
  widget({ id: 'revenue', type: 'stat', title: 'Fuel cost', width: 3, config: { format: 'currency:USD' } }),
  widget({
    id: 'routes',
    type: 'table',
    title: 'Busiest routes',
    width: 7,
    config: { limit: 10, searchable: true, export: true },
  }),
  widget({
    id: 'airports',
    type: 'bar_chart',
    title: 'Busiest airports',
    width: 5,
    config: { horizontal: true, format: 'compact' },
  }),
];

const details = [
  widget({
    id: 'note',
    type: 'heading',
    width: 12,
    config: {
      style: 'warning',
      text: 'September is short',
      body: 'All flights were grounded from 11 to 13 September:\n- the counts are right\n- the averages leave these days out',
    },
  }),
  widget({ id: 'pipeline', type: 'steps', title: 'How the data came', width: 12 }),
  widget({
    id: 'by_month',
    type: 'bar_chart',
    title: 'Flights by month',
    width: 6,
    config: { stacked: true, format: 'compact' },
  }),
  widget({ id: 'weather', type: 'line_chart', title: 'Delay by cause', width: 6, config: { stacked: true } }),
  widget({ id: 'broken', type: 'stat', title: 'Cancelled', width: 3 }),
  widget({ id: 'nothing', type: 'table', title: 'Diverted today', width: 5, config: { limit: 4 } }),
  widget({ id: 'malformed', type: 'line_chart', title: 'Unreadable', width: 4 }),
  widget({ id: 'team', type: 'people', title: 'Who to ask', width: 8 }),
  widget({ id: 'settings', type: 'of_tomorrow', title: 'Settings', width: 4 }),
];

const hostile = [
  widget({ id: 'hostile_section', type: 'heading', width: 12, config: { text: longWord, body: longWord } }),
  widget({
    id: 'hostile_heading',
    type: 'heading',
    width: 12,
    config: { text: xssCorpus.join(' '), body: xssCorpus.join('\n\n'), style: 'danger' },
  }),
  widget({
    id: 'hostile_stat',
    type: 'stat',
    title: xssCorpus[0] ?? '',
    width: 4,
    config: { unit: xssCorpus[1] },
  }),
  widget({
    id: 'hostile_error',
    type: 'stat',
    title: xssCorpus[1] ?? '',
    description: xssCorpus[2] ?? '',
    width: 4,
  }),
  widget({ id: 'hostile_steps', type: 'steps', title: 'Steps', width: 4 }),
  widget({ id: 'hostile_table', type: 'table', title: 'Table', width: 6, config: { searchable: true } }),
  widget({ id: 'hostile_people', type: 'people', title: 'People', width: 6 }),
  widget({ id: 'hostile_bars', type: 'bar_chart', title: 'Bars', width: 6 }),
  widget({ id: 'hostile_pie', type: 'pie_chart', title: 'Pie', width: 6 }),
  widget({ id: 'hostile_run', type: 'task_progress', title: 'Run', width: 6 }),
  widget({
    id: 'hostile_form',
    type: 'form',
    title: 'Form',
    width: 6,
    config: { submit_label: xssCorpus[0], layout: xssCorpus[2] },
  }),
  widget({ id: 'hostile_view', type: 'form', width: 6 }),
  widget({ id: 'hostile_mapping', type: 'field_mapping', title: 'Mapping', width: 12 }),
  widget({
    id: 'hostile_action',
    type: 'action',
    width: 6,
    config: {
      label: xssCorpus[0],
      style: xssCorpus[2],
      confirm: xssCorpus[1],
      success_message: xssCorpus[3],
    },
  }),
  widget({
    id: 'hostile_explorer',
    type: 'explorer',
    title: 'Explorer',
    width: 12,
    config: {
      search: true,
      export: true,
      filters: xssCorpus.map((label, at) => ({ key: `k${at}`, label, type: label })),
    },
  }),
];

export const flightsDashboard = {
  title: 'Flights 2001',
  description: 'Three million flights within the United States: how many, how late, and where from.',
  refresh_interval_seconds: 30,
  navbar_ctas: [
    {
      label: 'About the data',
      href: 'https://vega.github.io/vega-datasets/',
      variant: 'link',
      icon: 'book',
      text: null,
    },
    { label: 'Ask a question', href: 'mailto:data@example.com', variant: 'button', icon: 'mail', text: null },
  ],
  branding: {
    product_name: 'Northwind Data',
    logo_url: null,
    favicon_url: 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=',
    primary_color: null,
    support_url: null,
  },
  allow_public_input: false,
  pages: [
    { id: 'overview', title: 'Overview', widgets: overview },
    { id: 'details', title: 'Details', widgets: details },
  ],
};

export const hostileDashboard = {
  title: xssCorpus[0],
  description: xssCorpus.join(' '),
  refresh_interval_seconds: null,
  navbar_ctas: xssCorpus.map((text) => ({ label: text, href: text, variant: 'button', icon: text, text })),
  branding: { product_name: xssCorpus[1], logo_url: xssCorpus[3], primary_color: 'red;background:url(//x)' },
  pages: [
    { id: 'one"><script>window.__xss=1</script>', title: xssCorpus[1], widgets: hostile },
    { id: 'two', title: xssCorpus[2], widgets: [] },
  ],
};
