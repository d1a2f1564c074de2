/**
 * Whether a server can run for years: `headgate serve` on SQLite under all kinds of load at once, with pruning, for
 * `HEADGATE_SOAK_SECONDS` (600). Prints first, last and slope of memory, descriptors, threads, files, WAL and the rows of every table,
 * and ends with 1 where one of them grows beyond its bound. The first fifth is warm-up, the slope is that of the second half.
 * The figure is the control plane's anonymous memory a minute; its limit is the bound. Runs by name alone.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFirstUser } from '../src/commands/demo/first-user.ts';
import { createApiClient } from '../test/support/api-client.ts';
import { measure } from './support/figure.ts';
import { DEPLOYED, startServe } from './support/serve-process.ts';
import { SoakLoad } from './support/soak/soak-load.ts';
import { type SoakSample, takeMeasures } from './support/soak/soak-sample.ts';
import { judge, tableOf } from './support/soak/soak-verdict.ts';
import { workFolder } from './support/work-folder.ts';

const wholeSeconds = 600;
const seconds = Number(process.env['HEADGATE_SOAK_SECONDS'] ?? wholeSeconds);
if (!(seconds >= 30)) throw new Error('HEADGATE_SOAK_SECONDS is a number of seconds, 30 at least');
/** A short soak has too few samples otherwise. */
const sampleEveryMs = Math.min(10_000, (seconds * 1_000) / 30);

const folder = workFolder();
const databasePath = join(folder, 'amounts.db');
const database = new DatabaseSync(databasePath);
database.exec('create table amounts (id integer primary key, amount real)');
database.close();
const server = await startServe(folder, {
  SVC_STATE_PATH: join(folder, 'state.db'),
  SVC_METRICS_PATH: join(folder, 'metrics.db'),
  SVC_FILE_ROOTS: folder,
  SVC_OUTBOUND_ALLOW: '127.0.0.1',
  // As the systemd unit and the image start it: otherwise what V8 sets aside for objects of the moment grows for a quarter of an hour.
  ...DEPLOYED,
});
const samples: SoakSample[] = [];
let rssMb = 0;
try {
  const { apiKey: key } = await createFirstUser(server.url, server.setupToken);
  const api = createApiClient({ baseUrl: server.url, key });
  const load = new SoakLoad({ url: server.url, key, api, databasePath });
  await load.start();
  const began = performance.now();
  const minutesGone = () => (performance.now() - began) / 60_000;
  while (minutesGone() < seconds / 60 && !load.ended) {
    await sleep(sampleEveryMs);
    const measures = await takeMeasures(server, folder, key);
    samples.push({ minutes: minutesGone(), runsStarted: load.counts.runs, measures });
  }
  const { ended } = load;
  rssMb = samples.at(-1)?.measures.get('control-plane rss MB') ?? 0;
  await load.stop();
  console.error(`soak of ${seconds} s: ${JSON.stringify(load.counts)}`);
  for (const failure of load.failures) console.error(`FAILED: ${failure}`);
  if (ended) throw new Error(`The load ended early, after ${load.failures.length} failures`);
  for (const [kind, count] of Object.entries(load.counts))
    if (count === 0) throw new Error(`The soak proves nothing: no ${kind}`);
} finally {
  await server.stop();
}

const warm = samples.filter(({ minutes }) => minutes >= seconds / 300);
const verdicts = judge(warm, seconds / 120);
console.error(tableOf(verdicts));
if (seconds < wholeSeconds)
  console.error(
    `Heaps and caches still fill in ${seconds} s: growth of memory means little before ${wholeSeconds} s.`,
  );
const grown = verdicts.filter(({ exceeds }) => exceeds);
for (const { measure: name, slope, error, bound } of grown)
  console.error(
    `GROWS: ${name} by ${slope.toFixed(3)} ±${error.toFixed(3)} a minute, bound ${bound?.toFixed(3)}`,
  );
console.error(
  grown.length === 0
    ? 'Nothing grows beyond its bound.'
    : `${grown.length} measures grow beyond their bounds.`,
);
if (grown.length > 0) process.exitCode = 1;

const memory = verdicts.find(({ measure: name }) => name === 'control-plane anon MB');
await measure({
  name: 'soak-control-plane-memory-growth',
  unit: 'MB/min',
  rounds: 1,
  product: async () => memory?.slope ?? Number.NaN,
  limit: async () => memory?.bound ?? Number.NaN,
  rssMb: () => rssMb,
});
