import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import { serverMetrics } from '../docs/reference/metrics-page.ts';
import { findProgram } from '../support/find-program.ts';

const deploy = join(import.meta.dirname, '../../deploy');
const read = (path: string) => readFileSync(join(deploy, path), 'utf8');

/** Functions and operators with names, as https://prometheus.io/docs/prometheus/latest/querying/ lists them; those that are used. */
const FUNCTIONS = ['absent', 'delta', 'histogram_quantile', 'increase', 'max', 'rate', 'sum', 'topk'];
const WORDS = ['by', 'unless', 'or', 'offset'];
const DURATION = /^(?:\d+[smhd]|\$__rate_interval)$/;
/** One token: a name, a number, a string, a range, an operator or a bracket. */
const TOKEN =
  /\s*(?:([a-zA-Z_:][\w:]*)|(\d+(?:\.\d+)?[smhd]?)|"((?:[^"\\]|\\.)*)"|\[([^\]]*)\]|(=~|!~|!=|==|>=|<=|[-+*/><=,])|([(){}]))/y;

/** The labels that each series may be selected or grouped by: its own, with what Prometheus adds and renames. */
function seriesByName(): ReadonlyMap<string, ReadonlySet<string>> {
  const series = new Map<string, ReadonlySet<string>>();
  for (const { name, type, labels } of serverMetrics()) {
    const stored = labels.map((label) => (label === 'job' ? 'exported_job' : label));
    const known = new Set([...stored, 'instance']);
    const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    for (const suffix of suffixes)
      series.set(`${name}${suffix}`, suffix === '_bucket' ? new Set([...known, 'le']) : known);
  }
  for (const name of ['process_cpu_seconds_total', 'nodejs_eventloop_lag_p99_seconds'])
    series.set(name, new Set(['instance']));
  return series;
}

interface Found {
  readonly series: readonly string[];
  readonly problems: readonly string[];
}

/** Reads an expression as far as names, selectors, ranges and brackets go. */
function check(expr: string, known: ReadonlyMap<string, ReadonlySet<string>>): Found {
  const problems: string[] = [];
  const series: string[] = [];
  const open: string[] = [];
  let grouping = false;
  const grouped: string[] = [];
  TOKEN.lastIndex = 0;
  const text = expr.trim();
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (found === null)
      return { series, problems: [...problems, `not an expression at "${text.slice(at, at + 20)}"`] };
    const [, name, , , range, , bracket] = found;
    const next = text.slice(TOKEN.lastIndex).trimStart().charAt(0);
    if (bracket === '(' || bracket === '{') {
      open.push(bracket);
    } else if (bracket !== undefined) {
      if (open.pop() !== (bracket === ')' ? '(' : '{')) problems.push(`"${bracket}" closes nothing`);
      if (bracket === ')') grouping = false;
    } else if (range !== undefined) {
      if (!DURATION.test(range)) problems.push(`"${range}" is no duration`);
    } else if (name !== undefined && open.at(-1) === '{') {
      if (!known.get(series.at(-1) ?? '')?.has(name))
        problems.push(`${series.at(-1)} has no label "${name}"`);
    } else if (name !== undefined && grouping) grouped.push(name);
    else if (name === 'by') grouping = true;
    else if (name !== undefined && next === '(' && !FUNCTIONS.includes(name) && !WORDS.includes(name))
      problems.push(`"${name}" is no function`);
    else if (name !== undefined && !FUNCTIONS.includes(name) && !WORDS.includes(name)) {
      series.push(name);
      if (!known.has(name)) problems.push(`there is no metric "${name}"`);
    }
  }
  if (open.length > 0) problems.push('a bracket stays open');
  if (series.length === 0) problems.push('it names no metric');
  for (const label of grouped)
    if (!series.every((name) => known.get(name)?.has(label)))
      problems.push(`grouped by "${label}", which not all have`);
  return { series, problems };
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}

t.test('the alerts are rules of Prometheus over metrics and labels that exist', async (t) => {
  const known = seriesByName();
  const { groups } = parse(read('prometheus/rules.yml')) as { groups: { name: string; rules: Rule[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  t.ok(rules.length > 10);
  t.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length, 'no name twice');
  for (const rule of rules) {
    t.same(check(rule.expr, known).problems, [], rule.alert);
    t.match(rule.alert, /^Headgate\w+$/);
    t.same(
      Object.keys(rule).filter((key) => !['alert', 'expr', 'for', 'labels', 'annotations'].includes(key)),
      [],
      'only keys of alerts',
    );
    if (rule.for !== undefined) t.match(rule.for, DURATION, rule.alert);
    t.match(rule.labels.severity, /^(warning|critical)$/, rule.alert);
    const labels = [...rule.annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label);
    for (const label of labels)
      t.ok(label === 'instance' || rule.expr.includes(label), `${rule.alert}: ${label}`);
  }
});

/** Growths in an expression, by one of `functions`, of counters with labels, that leave out the first sample of a series. */
function growthsWithoutFirst(expr: string, functions: string): string[] {
  const labelled = serverMetrics().filter(({ type, labels }) => type === 'counter' && labels.length > 0);
  const names = labelled.map(({ name }) => name);
  const grown = new RegExp(`\\b(?:${functions})\\(((\\w+)(?:\\{[^}]*\\})?)\\[(\\w+)\\]\\)`, 'g');
  return [...expr.matchAll(grown)]
    .filter(([, , name = '']) => names.includes(name))
    .filter(([whole, series, , window]) => {
      const first = `(${series} unless ${series} offset ${window})`;
      return !expr.replaceAll(/\s+/g, ' ').includes(`${first} or ${whole}`);
    })
    .map(([whole]) => whole);
}

t.test('what counts the growth of a counter with labels counts its first sample too', async (t) => {
  const failed = 'increase(headgate_runs_completed_total{status="error"}[1h])';
  t.same(growthsWithoutFirst(`sum(${failed})`, 'increase'), [failed]);
  const { groups } = parse(read('prometheus/rules.yml')) as { groups: { rules: Rule[] }[] };
  for (const { alert, expr } of groups.flatMap((group) => group.rules))
    t.same(growthsWithoutFirst(expr, 'increase|rate|delta'), [], alert);
  const { panels } = JSON.parse(read('grafana/headgate.json')) as { panels: Panel[] };
  for (const { title, targets = [] } of panels)
    for (const { expr } of targets) t.same(growthsWithoutFirst(expr, 'increase'), [], title);
});

const promtool = findProgram(process.env['PROMTOOL_PATH'], ['promtool']);

t.test('the alerts fire for the series of a first run', { skip: !promtool && 'no promtool' }, async (t) => {
  const cases = join(import.meta.dirname, 'rules.promtool.yml');
  t.match(execFileSync(promtool ?? '', ['test', 'rules', cases], { encoding: 'utf8' }), 'SUCCESS');
});

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

t.test('the dashboard shows metrics and labels that exist', async (t) => {
  const known = seriesByName();
  const { panels, templating } = JSON.parse(read('grafana/headgate.json')) as {
    panels: Panel[];
    templating: { list: { name: string; query: string }[] };
  };
  t.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  for (const { title, targets = [], gridPos } of panels) {
    t.ok(gridPos.x + gridPos.w <= 24, title);
    for (const { expr, legendFormat } of targets) {
      t.same(check(expr, known).problems, [], `${title}: ${expr}`);
      for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
        t.ok(label === 'instance' || expr.includes(label), `${title}: ${label}`);
    }
  }
  const [, metric = '', label = ''] =
    /^label_values\((\w+), (\w+)\)$/.exec(templating.list.find(({ name }) => name === 'job')?.query ?? '') ??
    [];
  t.ok(known.get(metric)?.has(label), 'the choice of jobs');
});

t.test('a wrong name, label, function, range or bracket would be found', async (t) => {
  const known = seriesByName();
  const wrong = {
    'max(headgate_queue)': 'there is no metric "headgate_queue"',
    'headgate_run_duration_seconds > 1': 'there is no metric "headgate_run_duration_seconds"',
    'headgate_queue_depth{status="ready"}': 'headgate_queue_depth has no label "status"',
    'sum by (job) (headgate_runs_completed_total)': 'grouped by "job", which not all have',
    'highest(headgate_queue_depth)': '"highest" is no function',
    'rate(headgate_runs_completed_total[5])': '"5" is no duration',
    'max(headgate_queue_depth': 'a bracket stays open',
    'headgate_queue_depth > > % 5': 'not an expression at " % 5"',
  };
  for (const [expr, problem] of Object.entries(wrong)) t.same(check(expr, known).problems, [problem], expr);
});
