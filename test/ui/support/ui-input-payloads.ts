import type { FormFieldView } from '../../../src/language/dashboard/widgets/inputs/form-widget.ts';

/** A dashboard with each widget that takes input, in the flavour of a customer's own sync, as the server would send it. */
const widget = (id: string, type: string, width: number, title: string | null, config: object = {}) => ({
  id,
  type,
  title,
  width,
  description: null,
  refresh_interval_seconds: null,
  config,
});

export const inputDashboard = {
  title: 'Northwind sync',
  description: 'What is loaded, how often, and where it goes.',
  refresh_interval_seconds: null,
  navbar_ctas: [],
  branding: {
    product_name: 'Headgate',
    logo_url: null,
    favicon_url: null,
    primary_color: null,
    support_url: null,
  },
  allow_public_input: true,
  pages: [
    {
      id: 'main',
      title: 'Sync',
      widgets: [
        widget('settings', 'form', 8, 'Sync settings', {
          submit_label: 'Save settings',
          layout: 'two_columns',
        }),
        widget('reload', 'action', 4, 'Run it now', {
          label: 'Load everything again',
          style: 'danger',
          confirm: 'This empties the target tables first. Do you want to go on?',
        }),
        widget('fields', 'field_mapping', 12, 'Field mapping'),
        widget('customers', 'explorer', 12, 'Customers', {
          page_size: 25,
          search: true,
          export: true,
          filters: [
            { key: 'city', label: 'City', type: 'text' },
            { key: 'spent', label: 'Spent', type: 'number' },
            { key: 'joined', label: 'Joined', type: 'date' },
            { key: 'active', label: 'Active', type: 'boolean' },
          ],
        }),
        widget('ping', 'action', 3, null, { label: 'Check the connection', style: 'secondary' }),
        widget('archive', 'action', 3, null, { label: 'Archive', style: 'primary' }),
        widget('presses', 'stat', 3, 'Presses', { format: 'integer' }),
        widget('limits', 'form', 3, 'Limits'),
      ],
    },
    { id: 'other', title: 'Other', widgets: [widget('calls', 'stat', 3, 'Calls')] },
  ],
};

export const cities: Readonly<Record<string, readonly string[]>> = {
  eu: ['Berlin', 'Bonn', 'Lyon', 'Porto', 'Turin'],
  us: ['Austin', 'Boston', 'Denver'],
  ap: ['Osaka', 'Perth'],
};

export const accounts = Array.from({ length: 60 }, (_, at) => ({
  label: `Account ${String(at + 1).padStart(2, '0')}`,
  value: `acc-${at + 1}`,
  subText: at % 2 === 0 ? 'CRM' : 'Billing',
}));

export const sourceFields = ['name', 'email', 'phone', 'city', 'country', 'created_at', 'owner', 'score'];
export const targetFields = [
  'full_name',
  'email_address',
  'phone_number',
  'town',
  'country_code',
  'joined_on',
];

const everyCity = Object.values(cities).flat();

export const customers = Array.from({ length: 230 }, (_, at) => ({
  id: at + 1,
  name: `Customer ${String(at + 1).padStart(3, '0')}`,
  name_href: `https://example.com/customers/${at + 1}`,
  city: everyCity[(at * 7) % everyCity.length] ?? '',
  plan: ['Free', 'Team', 'Company'][at % 3] ?? '',
  spent: Math.round(((at * 7919) % 10_007) * 10) / 10,
  joined: new Date(Date.UTC(2024, 0, 1 + at * 3)).toISOString().slice(0, 10),
  active: at % 4 !== 0,
}));

export const customerColumns = [
  { key: 'name', label: 'Customer', href: 'name_href', type: 'text' },
  { key: 'city', label: 'City', type: 'text' },
  { key: 'plan', label: 'Plan', badge: { Free: 'neutral', Team: 'info', Company: 'success' }, type: 'text' },
  { key: 'spent', label: 'Spent', format: 'currency:EUR', type: 'number' },
  { key: 'joined', label: 'Joined', format: 'date', type: 'date' },
  { key: 'active', label: 'Active', type: 'boolean' },
];

function field(view: Pick<FormFieldView, 'key' | 'label' | 'type'> & Partial<FormFieldView>): FormFieldView {
  const absent = { format: null, depends_on: [], hidden: false, options: null, options_source: null };
  return { required: false, default: null, ...absent, ...view };
}

export const reloadFields = [
  field({ key: 'reason', label: 'Reason', type: 'text', required: true }),
  field({
    key: 'mode',
    label: 'Mode',
    type: 'select',
    default: 'full',
    options: [
      { label: 'Everything', value: 'full' },
      { label: 'Last month', value: 'month' },
    ],
  }),
];

export const formFields = [
  field({ key: 'name', label: 'Name', type: 'text', required: true }),
  field({ key: 'contact', label: 'Contact', type: 'text', format: 'email' }),
  field({ key: 'site', label: 'Web site', type: 'text', format: 'url' }),
  field({ key: 'batch', label: 'Rows at once', type: 'number', default: 500 }),
  field({
    key: 'region',
    label: 'Region',
    type: 'select',
    required: true,
    options: [
      { label: 'Europe', value: 'eu' },
      { label: 'United States', value: 'us' },
      { label: 'Asia and Pacific', value: 'ap' },
    ],
  }),
  field({
    key: 'city',
    label: 'City',
    type: 'select',
    depends_on: ['region'],
    options_source: { search: 'none' },
  }),
  field({ key: 'accounts', label: 'Accounts', type: 'multi_select', options_source: { search: 'server' } }),
  field({ key: 'tags', label: 'Tags', type: 'multi_select', options_source: { search: 'page' } }),
  field({ key: 'live', label: 'Keep it live', type: 'boolean' }),
  field({ key: 'every', label: 'Minutes between loads', type: 'number', required: true, hidden: true }),
];
