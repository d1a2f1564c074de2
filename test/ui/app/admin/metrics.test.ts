// Long list: it walks through a screen of the page in a browser; quick: test/ui/app/every-screen.test.ts, test/modules/metrics/metrics-config.test.ts, test/modules/metrics/metrics-data.test.ts.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import t, { type Test } from 'tap';
import { serve, until } from '../../../support/served.ts';
import { appTests, checkLooks } from '../../support/app-tests.ts';
import { servedProfile } from '../../support/signed-in.ts';

t.setTimeout(300_000);
const waitMsMax = 30_000;
const yaml = (name: string, step: string) => `version: 1\nname: "${name}"\nsteps: [${step}]\n`;

await appTests(async (open) => {
  const served = await serve(t, { SVC_OUTBOUND_ALLOW: '127.0.0.1' });
  const { url, api } = served;
  const profile = await servedProfile(served);
  const run = async (name: string, step: string) => {
    const { id } = await api.post<{ id: number }>('/api/tasks', { yaml_content: yaml(name, step) });
    const started = await api.post<{ id: number }>(`/api/tasks/${id}/runs`, { connectors: {} });
    await until('the run has ended', waitMsMax, async () => {
      const { status } = await api.get<{ status: string }>(`/api/runs/${started.id}`);
      return !['queued', 'running'].includes(status);
    });
    return id;
  };

  t.test('measurements of a task are drawn, of the one that ran last unless another is chosen', async (t) => {
    const failing = await run('<b>failing</b>', '{ id: check, kind: assert, check_expr: "false" }');
    await run('saying', '{ id: say, kind: log, message: hello }');
    const { page, complaints } = await open(t, `${url}/admin/metrics`, profile);
    await page
      .getByRole('img', { name: /^Runs\. Bar chart, 30 points.*Success or warning: .* last 1\./ })
      .waitFor();
    await page.getByRole('row', { name: /say log/ }).waitFor();
    await page.locator('.chart-canvas canvas').first().waitFor();
    await checkLooks(t, page);

    await page.getByLabel('Task').fill('<b>');
    await page.getByRole('option', { name: '<b>failing</b>' }).click();
    await page.getByLabel('Period').selectOption('7');
    await page
      .getByRole('img', { name: /^Runs\. Bar chart, 7 points.*Error: lowest 0, highest 1, last 1\./ })
      .waitFor();
    t.match(page.url(), new RegExp(`task=${failing}&days=7$`));
    t.same(complaints, []);
  });

  t.test('a backend is added, gets measurements, is disabled and deleted', async (t) => {
    const packets = await receivePackets(t);
    const { page, complaints } = await open(t, `${url}/admin/metrics`, profile);
    await page.getByRole('button', { name: 'New backend' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('packets');
    await dialog.getByLabel('Port', { exact: true }).fill('0');
    await checkLooks(t, page);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText(/"config\.port"/).waitFor();
    await dialog.getByLabel('Port', { exact: true }).fill(String(packets.port));
    await dialog.getByLabel('Tags', { exact: true }).fill('team=data');
    await dialog.getByRole('button', { name: 'Create' }).click();
    const row = page.getByRole('row', { name: /packets/ });
    await row.getByText(`127.0.0.1:${packets.port}`).waitFor();
    const arrived = packets.next();
    await run('measured', '{ id: say, kind: log, message: hello }');
    t.match(await arrived, /headgate\..*team:data/s);

    await page.getByRole('button', { name: 'Edit: packets' }).click();
    t.equal(await dialog.getByLabel('Tags', { exact: true }).inputValue(), 'team=data');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Disable: packets' }).click();
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await row.getByText('Disabled').waitFor();
    await page.getByRole('button', { name: 'Delete: packets' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
    t.same(complaints, ['Failed to load resource: the server responded with a status of 400 (Bad Request)']);
  });
});

async function receivePackets(t: Test): Promise<{ port: number; next(): Promise<string> }> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.teardown(() => socket.close());
  return { port: socket.address().port, next: async () => String((await once(socket, 'message'))[0]) };
}
