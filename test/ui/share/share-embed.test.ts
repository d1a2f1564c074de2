// Long list: it walks through a screen of the page in a browser; quick: test/modules/share-links/embed-origins.test.ts, test/ui/share/share-page.test.ts.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { openPage } from '../../support/browser.ts';
import { serve } from '../../support/served.ts';
import { appTests, checkLooks } from '../support/app-tests.ts';
import { servedProfile } from '../support/signed-in.ts';

t.setTimeout(300_000);

/** A site of its own, with a page that has the address in a frame. */
async function siteWith(t: Test, framed: () => string): Promise<string> {
  const site = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<iframe src="${framed()}"></iframe>`),
  );
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  t.teardown(() => site.close());
  return `http://localhost:${(site.address() as AddressInfo).port}`;
}

await appTests(async (open) => {
  const served = await serve(t);
  const { url, api } = served;
  const profile = await servedProfile(served);
  await api.post('/api/tasks', {
    yaml_content: 'version: 1\nname: say\nsteps: [{ id: say, kind: log, message: hello }]\n',
  });
  const template = await api.post<{ id: number }>('/api/job-templates', {
    name: 'Framed',
    yaml_content: 'version: 1\nname: framed\ntasks: { say: { task: say } }\n',
  });
  await api.post(`/api/job-templates/${template.id}/dashboard-templates`, {
    name: 'Framed',
    yaml_content: 'title: Framed\nwidgets: [{ id: h, type: heading, text: Hello from inside }]\n',
  });
  await api.post(`/api/job-templates/${template.id}/jobs`, { name: 'Framed', connector_mapping: {} });
  const { result } = await api.get<{ result: { id: number }[] }>('/api/dashboards');
  const path = `/dashboards/${result[0]?.id}?view=share`;

  t.test(
    'a shared dashboard is shown in frames of the sites that its link names, and of no others',
    async (t) => {
      const link = { address: '' };
      const allowed = await siteWith(t, () => link.address);
      const other = await siteWith(t, () => link.address);
      const { page, complaints, context } = await open(t, `${url}${path}`, profile);
      const frames = page.getByLabel('Sites that may embed it');
      await frames.fill(`${allowed}/reports`);
      await page.getByRole('button', { name: 'Create the link' }).click();
      await page.getByText(/\/reports" is not an origin/).waitFor();
      await frames.fill(allowed);
      await page.getByRole('button', { name: 'Create the link' }).click();
      await page.getByText(`<iframe src="${url}/share/`).waitFor();
      await checkLooks(t, page);
      link.address = (await page.locator('.code-block').first().textContent()) ?? '';
      t.same(
        complaints.filter((one) => !one.includes('status of 400') && !one.includes('status of 404')),
        [],
      );

      const policyOf = async () => (await fetch(link.address)).headers;
      t.match((await policyOf()).get('content-security-policy'), `frame-ancestors ${allowed};`);
      t.equal((await policyOf()).get('x-frame-options'), null);
      const inside = await openPage(context, allowed, []);
      await inside.page.frameLocator('iframe').getByText('Hello from inside').waitFor();
      const refused = await openPage(context, other, []);
      await refused.page.waitForLoadState('networkidle');
      t.equal(await refused.page.frameLocator('iframe').getByText('Hello from inside').count(), 0);
      t.match(refused.complaints.join(' '), /frame-ancestors/);

      await frames.fill('');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('<iframe').waitFor({ state: 'detached' });
      t.match((await policyOf()).get('content-security-policy'), "frame-ancestors 'none'");
      t.equal((await policyOf()).get('x-frame-options'), 'SAMEORIGIN');
      const unknown = await fetch(`${url}/share/nobody`);
      t.match(unknown.headers.get('content-security-policy'), "frame-ancestors 'none'");
    },
  );
});
