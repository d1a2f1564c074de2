// Long list: it walks through a screen of the page in a browser; quick: test/ui/app/every-screen.test.ts, test/modules/ai-references/ai-reference-routes.test.ts.
import t from 'tap';
import { serve } from '../../../support/served.ts';
import { appTests, checkLooks } from '../../support/app-tests.ts';
import { servedProfile } from '../../support/signed-in.ts';

t.setTimeout(300_000);

await appTests(async (open) => {
  const served = await serve(t);
  const { url, api } = served;
  const profile = await servedProfile(served);

  t.test('a reference for the model is made, found, changed and deleted', async (t) => {
    const { page, complaints } = await open(t, `${url}/admin/ai-references`, profile);
    await page.getByText('No references yet').waitFor();
    await page.getByText('No model is configured').waitFor();
    await checkLooks(t, page);
    await page.getByRole('button', { name: 'New reference' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Tables <b>of</b> the warehouse');
    await dialog.getByLabel('Text').fill('Tables are plural.');
    await dialog.getByLabel('Tags').fill('warehouse\n names \n');
    await dialog.getByLabel('Included by default').uncheck();
    await checkLooks(t, page);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('row', { name: /Tables <b>of.*Only when chosen.*warehouse, names.*18/ }).waitFor();
    await page.getByLabel('Search by name').fill('nothing');
    await page.getByText('No references match').waitFor();
    t.match(page.url(), /\?q=nothing/);
    await page.getByLabel('Search by name').fill('warehouse');
    await page.getByRole('button', { name: /Tables/ }).click();
    await dialog.getByLabel('Included by default').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /Included by default/ }).waitFor();
    const { result } = await api.get<{ result: { id: number }[] }>('/api/ai/references');
    t.match(await api.get(`/api/ai/references/${result[0]?.id}`), {
      content: 'Tables are plural.',
      tags: ['warehouse', 'names'],
      enabled: true,
    });

    await page.getByRole('button', { name: /Tables/ }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The model no longer gets it').waitFor();
    await page
      .getByRole('dialog', { name: /^Delete/ })
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.getByText('No references match').waitFor();
    t.same((await api.get<{ result: object[] }>('/api/ai/references')).result, []);
    t.same(complaints, []);
  });
});
