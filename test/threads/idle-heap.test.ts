// Own process: measures the memory of a worker host.
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import t from 'tap';
import { silentLogger } from '../../src/base/logger.ts';
import { HostedPool } from '../../src/threads/hosted-pool.ts';

const WAIT_MS_MAX = 10_000;
/** It calls itself until its time is over. */
const ENDLESS = '($f := function($n){ $f($n + 1) }; $f(0))';
const yaml = `version: 1
name: endless
connectors: { source: { type: dummy } }
steps:
  - { id: read, kind: extract, connector: source, method: list }
  - { id: shape, kind: transform, input: read, ops: [{ set: { x: ${JSON.stringify(ENDLESS)} } }] }
`;

t.test('a worker host gives back what a preview without end has needed', async (t) => {
  const data = { fileRoots: [], forbiddenFiles: [], connectTimeoutMs: 1_000 };
  const pool = new HostedPool({ logger: silentLogger, data, threads: 1 });
  t.teardown(() => pool.stop());
  await pool.ready();
  const rssMb = () => {
    const status = readFileSync(`/proc/${pool.stats().hostPid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
  };
  const source = { id: 1, version: 1, type: 'dummy', name: 's', config: { rows: [{ id: 1 }] } };
  const input = { yaml, args: {}, jobConfig: {}, connectors: { source }, rowsMax: 10 };
  const answer = await pool.run({ kind: 'preview', input });
  t.match(answer, /TIME|time|long/);
  const peak = rssMb();
  let after = peak;
  for (let waited = 0; waited < WAIT_MS_MAX && after > peak - 25; waited += 100) {
    await wait(100);
    after = rssMb();
  }
  t.comment(`${peak.toFixed(0)} MB after the preview, ${after.toFixed(0)} MB once idle`);
  t.ok(after <= peak - 25, `${peak.toFixed(0)} MB, then ${after.toFixed(0)}`);
});
