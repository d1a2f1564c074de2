import { spawn } from 'node:child_process';
import type { Test } from 'tap';
import { findProgram } from '../../support/find-program.ts';
import { ended, freeTcpPort, freeUdpPort, until } from './statsd-server.ts';

const NAMES = ['prometheus-statsd-exporter', 'statsd_exporter'];

/** Where Prometheus' StatsD exporter is: `STATSD_EXPORTER_PATH`, else on the PATH; null where there is none. */
export function findStatsdExporter(): string | null {
  return findProgram(process.env['STATSD_EXPORTER_PATH'], NAMES);
}

/** The exporter as a process of its own; ended with the test. */
export async function startStatsdExporter(t: Test, path: string) {
  const [port, webPort] = [await freeUdpPort(), await freeTcpPort()];
  const child = spawn(
    path,
    [
      `--statsd.listen-udp=127.0.0.1:${port}`,
      '--statsd.listen-tcp=',
      `--web.listen-address=127.0.0.1:${webPort}`,
    ],
    { stdio: 'ignore' },
  );
  t.teardown(() => ended(child));
  const scrape = async () => (await fetch(`http://127.0.0.1:${webPort}/metrics`)).text();
  await until('the exporter answers', scrape);
  return { port, scrape };
}
