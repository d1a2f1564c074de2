import t from 'tap';
import { renderUnicodeCompact } from 'uqr';
import { silentLogger } from '../../src/base/logger.ts';
import { buildMissingPages } from '../../src/commands/kit/build-pages.ts';
import { tellOrders } from '../support/orders-scene.ts';
import { runCli } from '../support/run-cli.ts';

t.setTimeout(300_000);

const DASHBOARD = `title: Orders
pages:
  - id: overview
    title: Overview
    widgets:
      - { id: progress, type: task_progress, title: Runs, task_key: load }
`;

t.test('the public address of a dashboard is printed with its QR code', async (t) => {
  await buildMissingPages(silentLogger);
  const { api, apiKey, url, templateId, sourceId, targetId } = await tellOrders(t);
  const env = { SVC_SERVER: url, SVC_TOKEN: apiKey };
  const cli = (...args: readonly string[]) => runCli(['share-link', ...args], { env });
  await api.post(`/api/job-templates/${templateId}/dashboard-templates`, {
    name: 'Overview',
    yaml_content: DASHBOARD,
  });
  await api.post(`/api/job-templates/${templateId}/jobs`, {
    name: 'Süd: orders',
    connector_mapping: { source: sourceId, target: targetId },
  });
  const { result } = await api.get<{ result: { id: number; name: string }[] }>('/api/dashboards');
  const { id = 0, name = '' } = result[0] ?? {};
  t.match(await cli(name), { code: 1, stdout: '', stderr: /with the dashboard’s Share button/ });
  t.match(await cli('none of this name'), { code: 1, stderr: /There is no dashboard named/ });

  const { public_url } = await api.post<{ public_url: string }>(`/api/dashboards/${id}/share`, {
    password: 'correct horse battery',
  });
  const address = new URL(public_url, url).href;
  t.same(await cli(name), { code: 0, stdout: `${address}\n`, stderr: 'It asks for a password.\n' });
  const drawn = await cli(String(id), '--qr');
  t.equal(drawn.stdout, `${address}\n${renderUnicodeCompact(address, { border: 2 })}\n`);
  const { stdout } = await cli(String(id), '--json');
  t.match(JSON.parse(stdout), { public_url: address, has_password: true });
  t.equal((await fetch(address)).status, 200, 'it leads to the page');
});
