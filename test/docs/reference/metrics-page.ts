import { systemClock } from '../../../src/base/clock.ts';
import { MEASUREMENTS } from '../../../src/metering/measurements.ts';
import { type MetricDescription, PrometheusMeter } from '../../../src/metering/prometheus-meter.ts';
import { serverGauges } from '../../../src/modules/health/server-gauges.ts';
import { code, pageHead, sentence, table } from './markdown.ts';

const INTRO = `\`GET /metrics\` of each control plane answers in the text format of Prometheus: from the same machine, as \`localhost\` or \`127.0.0.1\`, without credentials, from elsewhere with an API key of a viewer that has the scope \`metrics:read\`.

\`\`\`yaml prometheus
rule_files: [rules.yml]
scrape_configs:
  - job_name: headgate
    scheme: https
    authorization: { credentials: svc_… }
    static_configs: [{ targets: ["headgate.example.com"] }]
\`\`\`

That is for a Prometheus elsewhere, through the [proxy](../proxy.md). On the server's machine, \`targets: ["127.0.0.1:8080"]\` is enough: no scheme, no key. \`promtool check config prometheus.yml\` reads the file and the rules before Prometheus does.

[deploy/prometheus/rules.yml](../../deploy/prometheus/rules.yml) has alerts, and [deploy/grafana/headgate.json](../../deploy/grafana/headgate.json) a dashboard to import into Grafana.

Gauges of the queue, of executors and of dead letters come from the state store, so they are the same at every control plane: take \`max\`, not \`sum\`. All others are of the process that answers, and a run counts at the control plane that ended it. Memory, CPU, event loop and garbage collection of the process are in \`process_*\` and \`nodejs_*\`.

A run without a job has no labels \`job\` and \`template\`. \`SVC_METRICS_SERIES_MAX\` (500) bounds how many combinations of \`job\`, \`template\` and \`task\` have series of their own; the rest counts as \`other\`. A new combination takes the place of one that has not run for a day. Prometheus has a label \`job\` of its own, so it stores ours as \`exported_job\` unless the scrape sets \`honor_labels: true\`; the rules and the dashboard in \`deploy/\` use that name.`;

const MEASURED = `Every run is measured by its executor, and the [metrics backends](../operations.md#metrics-of-runs) of the server or of the task store or send the points. Each has the tag \`task\`. StatsD gets the tags \`job\` and \`template\` as well, of runs of jobs: as DogStatsD tags (\`tag_format: datadog\`), or as parts of the name (\`none\`): \`headgate.task.items_out.job.acme.task.orders.template.orders\`. Names begin with the \`prefix\` of the backend.`;

export function metricsPage(): string {
  const rows = serverMetrics().map(({ name, type, labels, help }) => [
    code(name),
    type,
    labels.map(code).join(', ') || '–',
    unitOf(name),
    help,
  ]);
  const measured = Object.entries(MEASUREMENTS).map(([name, { kind, tags, help }]) => [
    code(name),
    kind,
    tags.map(code).join(', ') || '–',
    name.endsWith('_ms') ? 'milliseconds' : 'number',
    sentence(help),
  ]);
  const head = ['name', 'type', 'labels', 'unit', 'meaning'];
  return [
    pageHead('Metrics', INTRO),
    '\n## Of the server\n',
    table(head, rows),
    `\n## Of runs\n\n${MEASURED}\n`,
    table(['name', 'type', 'tags', 'unit', 'meaning'], measured),
  ].join('');
}

/** Every metric that a server has; a test compares the names with what a real one answers. */
export function serverMetrics(): MetricDescription[] {
  const meter = new PrometheusMeter({ seriesMax: 1, clock: systemClock });
  const unread = () => {
    throw new Error('only the descriptions are needed');
  };
  const memory = { used: unread, limits: unread };
  const gauges = serverGauges({ figures: unread, workers: unread, watchers: unread, memory });
  for (const gauge of gauges) meter.gauge(gauge);
  return meter.described();
}

function unitOf(name: string): string {
  const [, unit = 'number'] = /_(seconds|bytes|rows|runs|lines|points)(?:_total)?$/.exec(name) ?? [];
  return unit;
}
