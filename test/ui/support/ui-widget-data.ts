import { xssCorpus } from './ui-payloads.ts';

const days = Array.from({ length: 181 }, (_, day) =>
  new Date(Date.UTC(2001, 0, 1 + day)).toISOString().slice(0, 10),
);
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'];

/** A steady curve that looks like data: two waves and a little noise that is the same every time. */
function wave(length: number, base: number, size: number, seed: number): number[] {
  return Array.from({ length }, (_, at) => {
    const noise = Math.sin(at * 12.9898 + seed * 78.233) * 43758.5453;
    const value = base + size * Math.sin(at / 9 + seed) + size * 0.6 * (noise - Math.floor(noise) - 0.5);
    return Math.round(value * 10) / 10;
  });
}

const routes = [
  ['LAX', 'LAS', 8420, 0.78, 11.2, 'Delayed'],
  ['LAS', 'LAX', 8391, 0.79, 10.8, 'Delayed'],
  ['LAX', 'PHX', 7702, 0.84, 7.1, 'On time'],
  ['PHX', 'LAX', 7688, 0.85, 6.9, 'On time'],
  ['BOS', 'LGA', 7150, 0.88, 5.2, 'On time'],
  ['LGA', 'BOS', 7121, 0.87, 5.4, 'On time'],
  ['ORD', 'MSP', 6820, 0.74, 13.8, 'Late'],
  ['MSP', 'ORD', 6795, 0.75, 13.1, 'Late'],
  ['DAL', 'HOU', 6540, 0.9, 4.4, 'On time'],
  ['HOU', 'DAL', 6512, 0.89, 4.9, 'On time'],
  ['SFO', 'LAX', 6480, 0.71, null, 'Cancelled'],
  ['DCA', 'LGA', 6313, 0.86, 5.9, 'On time'],
] as const;

/** The data of a widget at the `round`th time of asking. */
export function widgetData(id: string, round: number): { data?: unknown; error?: string } {
  const make = makers[id];
  if (make === undefined) return { error: `There is no widget "${id}"` };
  if (id === 'broken')
    return { error: 'Connector "warehouse": the table "cancelled_flights" does not exist' };
  if (id === 'hostile_error') return { error: xssCorpus.join(' ') };
  return { data: make(round) };
}

const hostileForm = () => ({
  schema: {
    title: xssCorpus[0],
    description: xssCorpus[1],
    fields: xssCorpus.map((text, at) => ({
      key: `f${at}`,
      label: text,
      type: ['text', 'multi_select'][at % 2],
      format: at % 3 === 0 ? 'url' : null,
      options: at % 2 === 1 ? [{ label: text, value: text }] : null,
    })),
  },
  values: Object.fromEntries(xssCorpus.map((text, at) => [`f${at}`, at % 2 === 1 ? [text] : text])),
  version: 1,
});

const makers: Readonly<Record<string, (round: number) => unknown>> = {
  flights: (round) => ({
    value: 3_000_000 + (round - 1) * 1250,
    compare: 2_881_400,
    delta: 118_600,
    sparkline: wave(40, 60, 14, 1),
    level: null,
  }),
  on_time: () => ({
    value: 0.824,
    compare: 0.791,
    delta: 0.033,
    sparkline: wave(40, 80, 4, 2),
    level: 'success',
  }),
  delay: () => ({ value: 7.42, compare: 6.9, delta: 0.52, sparkline: wave(40, 7, 2.4, 3), level: null }),
  size: () => ({ value: 13_493_022, compare: null, delta: null, sparkline: null, level: null }),
  revenue: () => ({
    value: 48_201_733.5,
    compare: 51_022_110,
    delta: null,
    sparkline: null,
    level: 'warning',
  }),
  by_day: () => ({
    x: days,
    series: [
      { label: 'Departure', values: wave(days.length, 9, 3, 4) },
      { label: 'Arrival', values: wave(days.length, 6, 3.4, 4.4) },
    ],
  }),
  causes: () => ({
    slices: [
      { label: 'Under 500 miles', value: 1_248_300 },
      { label: '500 to 1,000 miles', value: 983_100 },
      { label: '1,000 to 2,000 miles', value: 588_420 },
      { label: 'Over 2,000 miles', value: 180_180 },
    ],
  }),
  load: (round) => ({
    run: {
      id: 4182,
      status: 'running',
      progress: {
        rows: 1_912_400 + round * 48_000,
        rows_per_second: 24_120,
        step: 'write',
        ratio: 0.64 + round * 0.01,
      },
      started_at: new Date(Date.now() - 79_000 - round).toISOString(),
      ended_at: null,
      items: { in: 1_912_400, out: 1_912_388, failed: 12 },
    },
  }),
  year: () => ({ current: 264, total: 365, ratio: 264 / 365 }),
  routes: () => ({
    columns: [
      { key: 'from', label: 'From' },
      { key: 'to', label: 'To', href: 'to_href' },
      { key: 'flights', label: 'Flights', format: 'integer' },
      { key: 'on_time', label: 'On time', format: 'percent' },
      { key: 'delay', label: 'Average delay', format: 'number' },
      { key: 'status', label: 'Today', badge: { 'On time': 'success', Delayed: 'warning', Late: 'danger' } },
    ],
    rows: routes.map(([from, to, flights, on_time, delay, status]) => ({
      from,
      to,
      to_href: `https://example.com/airports/${to}`,
      flights,
      on_time,
      delay,
      status,
    })),
    total: 5366,
    truncated: true,
  }),
  airports: () => ({
    x: [
      "Chicago O'Hare International",
      'Atlanta',
      'Dallas–Fort Worth',
      'Los Angeles',
      'Phoenix',
      'Denver',
      'St. Louis',
    ],
    series: [{ label: 'Flights', values: [184_210, 171_930, 168_400, 142_020, 121_775, 108_310, 99_204] }],
  }),
  pipeline: () => ({
    steps: [
      { key: 'read', label: 'Read the file', state: 'done', detail: '3,000,000 rows in 2.1 s' },
      { key: 'shape', label: 'Shape and check', state: 'done', detail: '12 dead letters' },
      { key: 'write', label: 'Write to the warehouse', state: 'running', detail: '64%' },
      { key: 'assert', label: 'Assert the counts', state: 'pending', detail: null },
    ],
  }),
  by_month: () => ({
    x: months,
    series: [
      { label: 'On time', values: [198_000, 181_000, 214_000, 209_000, 218_000, 197_000] },
      { label: 'Late', values: [41_000, 46_000, 38_000, 33_000, 34_000, 58_000] },
      { label: 'Cancelled', values: [8_100, 7_300, 7_900, 4_200, 3_900, 6_800] },
    ],
  }),
  weather: () => ({
    x: days.slice(0, 90),
    series: [
      { label: 'Carrier', values: wave(90, 3, 0.8, 6) },
      { label: 'Weather', values: wave(90, 2, 1, 7) },
      { label: 'Late aircraft', values: wave(90, 3.4, 1.1, 8) },
    ],
  }),
  broken: () => null,
  nothing: () => ({ columns: [{ key: 'flight', label: 'Flight' }], rows: [], total: 0, truncated: false }),
  malformed: () => ({ x: 'soon', series: 7 }),
  team: () => ({
    people: [
      { name: 'Amelia Noor', role: 'Data engineer', email: 'amelia@example.com', phone: '+1 (555) 010-2030' },
      {
        name: 'Jürgen Weiß',
        role: 'Operations',
        email: 'juergen@example.com',
        href: 'https://example.com/juergen',
      },
      { name: 'Chi', role: 'On call tonight', phone: '+1 555 010 9999' },
    ],
  }),
  hostile_stat: () => ({
    value: xssCorpus[2],
    compare: xssCorpus[0],
    delta: null,
    sparkline: null,
    level: xssCorpus[1],
  }),
  hostile_error: () => null,
  hostile_steps: () => ({
    steps: xssCorpus.map((text, key) => ({ key: String(key), label: text, state: text, detail: text })),
  }),
  hostile_table: () => ({
    columns: xssCorpus.map((text, at) => ({
      key: `k${at}`,
      label: text,
      href: `k${at}`,
      badge: at === 0,
      format: text,
    })),
    rows: xssCorpus.map(() => Object.fromEntries(xssCorpus.map((text, at) => [`k${at}`, text]))),
    total: 9,
    truncated: false,
  }),
  hostile_form: () => ({ ...hostileForm(), readonly: false, reason: null }),
  hostile_view: () => ({ ...hostileForm(), readonly: true, reason: xssCorpus[1] }),
  hostile_mapping: () => ({
    schema: {
      title: xssCorpus[0],
      description: xssCorpus[1],
      source: null,
      target: { search: xssCorpus[2] },
    },
    rows: xssCorpus.map((text) => ({ source_field: text, target_field: text, has_transform: true })),
    version: 1,
    readonly: false,
    reason: null,
  }),
  hostile_action: () => ({
    enabled: false,
    reason: xssCorpus[2],
    last_run: { at: xssCorpus[0], outcome: xssCorpus[1], status: xssCorpus[2] },
    cooldown_until: xssCorpus[3],
  }),
  hostile_explorer: () => ({
    columns: xssCorpus.map((text, at) => ({ key: `k${at}`, label: text, href: `k${at}`, format: text })),
    rows: xssCorpus.map(() => Object.fromEntries(xssCorpus.map((text, at) => [`k${at}`, text]))),
    next_cursor: xssCorpus[0],
  }),
  hostile_people: () => ({
    people: xssCorpus.map((text) => ({
      name: text,
      role: text,
      email: text,
      phone: text,
      avatar: text,
      href: text,
    })),
  }),
  hostile_bars: () => ({
    x: xssCorpus,
    series: xssCorpus.slice(0, 3).map((label) => ({ label, values: xssCorpus.map((_, at) => at + 1) })),
  }),
  hostile_pie: () => ({ slices: xssCorpus.map((label, at) => ({ label, value: at + 1 })) }),
  hostile_run: () => ({
    run: {
      id: xssCorpus[0],
      status: xssCorpus[1],
      progress: { rows: 1, rows_per_second: 1, step: xssCorpus[2] },
      started_at: xssCorpus[0],
      ended_at: null,
      items: null,
    },
  }),
};
