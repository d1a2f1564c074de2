// Long list: it walks through a screen of the page in a browser; quick: test/ui/app/every-screen.test.ts, test/modules/executors/roster/roster-routes.test.ts, test/modules/executors/waiting/queue-routes.test.ts.
import t from 'tap';
import { serve } from '../../../support/served.ts';
import { appTests, checkLooks } from '../../support/app-tests.ts';
import { servedProfile } from '../../support/signed-in.ts';

t.setTimeout(300_000);

await appTests(async (open) => {
  const served = await serve(t);
  const { url, api } = served;
  const profile = await servedProfile(served);
  const task = await api.post<{ id: number }>('/api/tasks', {
    yaml_content: 'version: 1\nname: "<b>work</b>"\nsteps: [{ id: say, kind: log, message: hello }]\n',
  });

  t.test('an executor is drained, the queue says why a run waits, and it is resumed', async (t) => {
    const { page, complaints } = await open(t, `${url}/admin/executors`, profile);
    await page.getByRole('heading', { name: 'Start another executor' }).waitFor();
    const { grpc } = await api.get<{ grpc: { address: string } }>('/api/server/info');
    await page.getByText(`headgate executor --server ${grpc.address} --slots 4`).waitFor();
    await page.getByText(`export SVC_GRPC_PORT=${grpc.address.split(':')[1]}`).waitFor();
    await page.getByText('Only executors on the server’s own machine reach this address').waitFor();
    await page.getByRole('row', { name: /Online.*0 of \d/ }).waitFor();
    await checkLooks(t, page);
    await page
      .getByRole('row', { name: /Online/ })
      .getByRole('link')
      .click();
    await page.getByText('It is running nothing').waitFor();
    await page.getByRole('button', { name: 'Drain' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('For scripts').click();
    await dialog.getByText(/headgate executors drain \d+ --server/).waitFor();
    await checkLooks(t, page);
    await dialog.getByRole('button', { name: 'Drain' }).click();
    await page.getByRole('row', { name: /Drained.*Drained by/ }).waitFor();
    await checkLooks(t, page);

    const { id } = await api.post<{ id: number }>(`/api/tasks/${task.id}/runs`, { connectors: {} });
    await page.getByRole('link', { name: 'Queue' }).click();
    await page.getByRole('row', { name: /<b>work<\/b>.*Executors are drained/ }).waitFor();
    await checkLooks(t, page);
    await page.getByRole('button', { name: `Cancel: <b>work</b> ${id}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('The queue is empty').waitFor();
    t.match(await api.get(`/api/runs/${id}`), { status: 'cancelled' });

    await page.getByRole('link', { name: 'Executors' }).click();
    await page
      .getByRole('row', { name: /Drained/ })
      .getByRole('link')
      .click();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('row', { name: /Status Online/ }).waitFor();
    await page.getByRole('button', { name: 'Drain' }).waitFor();
    t.same(complaints, []);
  });
});
