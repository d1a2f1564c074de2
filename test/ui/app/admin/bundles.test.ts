// Long list: it walks through a screen of the page in a browser; quick: test/ui/app/every-screen.test.ts, test/modules/export-import/import-routes.test.ts, test/modules/export-import/export-routes.test.ts.
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { serve } from '../../../support/served.ts';
import { appTests, checkLooks } from '../../support/app-tests.ts';
import { servedProfile } from '../../support/signed-in.ts';

t.setTimeout(300_000);

const textOf = (message: string) =>
  `version: 1\nname: hello\nsteps: [{ id: say, kind: log, message: ${message} }]\n`;

await appTests(async (open) => {
  const served = await serve(t);
  const { url, api } = served;
  const profile = await servedProfile(served);
  const task = await api.post<{ id: number }>('/api/tasks', { yaml_content: textOf('one') });
  const stored = async () => (await api.get<{ yaml_content: string }>(`/api/tasks/${task.id}`)).yaml_content;
  const file = (text: string | Buffer) => ({
    name: 'headgate-bundle.yaml',
    mimeType: 'application/yaml',
    buffer: Buffer.from(text),
  });

  t.test('a bundle is downloaded, changed, planned with its differences and applied exactly', async (t) => {
    const { page, complaints } = await open(t, `${url}/admin/bundles`, profile);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the bundle' }).click();
    const download = await downloading;
    t.equal(download.suggestedFilename(), 'headgate-bundle.yaml');
    const bundle = await readFile(await download.path(), 'utf8');
    t.match(bundle, /headgate_bundle: 1[\s\S]*name: hello/);
    await page.getByLabel('Chosen ones').check();
    await page.getByText('Choose at least one.').waitFor();
    await page.getByLabel('hello').check();
    await page.getByText('For scripts').click();
    await page.getByText(/headgate export --task hello --format yaml/).waitFor();
    await checkLooks(t, page);

    const input = page.getByLabel('Bundle, as YAML or zip');
    await input.setInputFiles(file(bundle));
    await page.getByText('Nothing to do.').waitFor();
    await input.setInputFiles(file(bundle.replace('message: one', 'message: <b>two</b>')));
    await page.getByRole('row', { name: /Update.*hello.*Task · version 1/ }).waitFor();
    await page.getByText('Changes of hello').click();
    await page.locator('.diff-line').getByText('message: <b>two</b>').waitFor();
    await checkLooks(t, page);
    t.match(await stored(), /message: one/, 'a plan changes nothing');

    await api.post('/api/tasks', { yaml_content: textOf('x').replace('hello', 'other') });
    await api.put(`/api/tasks/${task.id}`, { yaml_content: textOf('three') });
    await page.getByRole('button', { name: 'Apply this plan' }).click();
    await page.getByText('has changed since the plan was made, so nothing was applied').waitFor();
    t.match(await stored(), /message: three/);
    await page.getByRole('row', { name: /Update.*hello.*Task · version 2/ }).waitFor();
    await page.getByRole('button', { name: 'Apply this plan' }).click();
    await page.getByText('0 created, 1 updated').waitFor();
    t.match(await stored(), /message: <b>two<\/b>/);
    t.same(complaints, ['Failed to load resource: the server responded with a status of 409 (Conflict)']);
  });

  t.test('what is wrong with a bundle is told with its line, and nothing is changed', async (t) => {
    const { page } = await open(t, `${url}/admin/bundles`, profile);
    const before = await stored();
    const input = page.getByLabel('Bundle, as YAML or zip');
    await input.setInputFiles(file(Buffer.from([0xff, 0xfe, 0x00])));
    await page.getByText('neither a zip nor UTF-8 text').waitFor();
    await input.setInputFiles(file('headgate_bundle: 1\ntasks:\n  - name: [\n'));
    await page
      .getByText(/^Line \d+: /)
      .first()
      .waitFor();
    await checkLooks(t, page);
    const wrong = textOf('x').replace('kind: log', 'kind: logg').replace(/^/gm, '      ');
    await input.setInputFiles(file(`headgate_bundle: 1\ntasks:\n  - name: hello\n    yaml: |\n${wrong}`));
    await page.getByRole('row', { name: /Invalid.*hello.*Line 3: .*logg/ }).waitFor();
    await page.getByText('The plan is blocked').waitFor();
    await checkLooks(t, page);
    t.equal(await stored(), before);
  });
});
