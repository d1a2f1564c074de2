// Long list: it walks through a screen of the page in a browser; quick: test/ui/inputs/form-schema.test.ts, test/modules/connectors/plugin-routes.test.ts.
import t from 'tap';
import { specifiedPlugin } from '../../drivers/airbyte/specification.ts';
import { runCli } from '../../support/run-cli.ts';
import { serve, until } from '../../support/served.ts';
import { appTests, checkLooks } from '../support/app-tests.ts';
import { servedProfile } from '../support/signed-in.ts';

t.setTimeout(300_000);
const secret = 'correct horse battery';

await appTests(async (open) => {
  const { command, folder } = specifiedPlugin(t.testdir());
  const plugins = [
    { name: 'shop', command, folder },
    { name: 'silent', command: ['/bin/true'] },
  ];
  const served = await serve(t, { SVC_PLUGINS: JSON.stringify(plugins) });
  const profile = await servedProfile(served);

  t.test('the form of an Airbyte connector is what its source takes', async (t) => {
    const { page, complaints } = await open(t, `${served.url}/connectors/new?type=airbyte`, profile);
    const field = (name: string | RegExp) => page.getByLabel(name, { exact: true });
    await page.getByLabel('Name', { exact: true }).fill('Nordwind');
    await page.getByLabel(/^plugin/).selectOption('shop');
    await field('Shop · required').waitFor();
    t.equal(await field('Shop · required').getAttribute('placeholder'), 'nordwind', 'an example');
    t.equal(await page.getByText('internal', { exact: true }).count(), 0, 'what is hidden stays so');
    t.equal(await page.getByLabel(/^secrets/).count(), 0, 'secrets have places of their own');
    const variant = page.getByLabel(/^How to sign in/);
    await variant.selectOption({ label: 'Name and password' });
    await field('User · required').waitFor();
    await variant.selectOption({ label: 'Token' });
    t.equal(await field('Access token · required').getAttribute('type'), 'password');
    await checkLooks(t, page);

    await field('Shop · required').fill('Nord Wind');
    await field('Pages').fill('51');
    const create = page.getByRole('button', { name: 'Save the connector' });
    await create.click();
    t.equal(await page.locator('input:invalid').count(), 1, 'the token is required');
    t.same(complaints, [], 'nothing was sent');
    await field('Access token · required').fill(secret);
    await create.click();
    await page.getByRole('alert').getByText(/pages/).first().waitFor();
    for (const name of ['Shop · required', 'Pages']) {
      t.equal(await field(name).getAttribute('aria-invalid'), 'true', name);
      const own = page.locator('.config-field').filter({ has: field(name) });
      t.not(await own.locator('.field-problems').textContent(), '', 'said at its field');
    }
    complaints.splice(0);

    await field('Shop · required').fill('nordwind');
    await field('Pages').fill('5');
    await field('Access token · required').fill(secret);
    await field('webhooks').fill('[{"key": "second horse"}]');
    await page.getByRole('button', { name: 'Test the connection' }).click();
    await page.getByText('It works.').waitFor();
    await page.getByRole('button', { name: 'Save the connector' }).click();
    await page.getByRole('heading', { level: 1, name: 'Nordwind' }).waitFor();

    const token = field('Access token · required');
    await token.waitFor();
    t.equal(await token.inputValue(), '');
    t.equal(await token.getAttribute('placeholder'), 'Stored. Type to replace');
    t.equal(await field('Pages').inputValue(), '5');
    t.equal(await variant.inputValue(), 'token');
    t.notMatch(await page.content(), secret);
    t.equal(await field('webhooks').getAttribute('placeholder'), 'Stored. Type to replace');
    await checkLooks(t, page);
    const id = Number(page.url().split('/').at(-1));
    const config = async () =>
      (await served.api.get<{ config: Record<string, unknown> }>(`/api/connectors/${id}`)).config;
    const open5 = { shop: 'nordwind', credentials: { option: 'token' }, pages: 5 };
    const masks = { credentials: { token: '********' }, webhooks: '********' };
    t.same(await config(), { plugin: 'shop', config: open5, secrets: masks });

    const save = page.getByRole('button', { name: 'Save', exact: true });
    await page.getByLabel('Description').fill('Theirs');
    await save.click();
    await page.getByText('Saved', { exact: true }).waitFor();
    t.same((await config())['secrets'], masks);
    await token.fill(`${secret} 1`);
    await save.click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await token.and(page.locator('[placeholder^="Stored"]')).waitFor();
    t.same((await config())['secrets'], masks, 'one is changed alone');
    await page.getByRole('button', { name: 'Remove: config/webhooks' }).click();
    await save.click();
    await page.getByRole('button', { name: 'Remove: config/webhooks' }).waitFor({ state: 'detached' });
    const left = await until('one is removed', 20_000, async () => {
      const { secrets } = await config();
      return !JSON.stringify(secrets).includes('webhooks') && secrets;
    });
    t.same(left, { credentials: masks.credentials }, 'alone');
    await field('Pages').fill('6');
    await save.click();
    await page
      .getByRole('alert')
      .getByText(/must be given again/)
      .first()
      .waitFor();
    complaints.splice(0);
    await token.fill(`${secret} 2`);
    await save.click();
    await page.getByText('Saved', { exact: true }).waitFor();
    t.match(await config(), { config: { pages: 6 }, secrets: { credentials: { token: '********' } } });
    await variant.selectOption({ label: 'Name and password' });
    await field('User · required').fill('ada');
    await save.click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const basic = { shop: 'nordwind', credentials: { option: 'basic', user: 'ada' }, pages: 6 };
    t.same(await config(), { plugin: 'shop', config: basic });
    t.same(complaints, []);
  });

  t.test('a program that tells nothing is configured by JSON, and the form says why', async (t) => {
    const { page, complaints } = await open(t, `${served.url}/connectors/new?type=airbyte`, profile);
    await page.getByLabel('Name', { exact: true }).fill('Silent');
    await page.getByLabel(/^plugin/).selectOption('silent');
    await page
      .getByRole('alert')
      .getByText(/"silent"/)
      .waitFor();
    await page.getByText('More settings').click();
    await page.getByLabel('config', { exact: true }).fill('{"a": 1}');
    await page.getByLabel('secrets', { exact: true }).fill('{"b": "hidden"}');
    await page.getByRole('button', { name: 'Save the connector' }).click();
    await page.getByRole('heading', { level: 1, name: 'Silent' }).waitFor();
    t.match(complaints.splice(0), [/502/], 'asked once');
  });

  t.test('the terminal shows the same', async (t) => {
    const env = { SVC_SERVER: served.url, SVC_TOKEN: served.apiKey };
    const cli = (...args: readonly string[]) => runCli(['connectors', 'plugin', ...args], { env });
    t.match(await cli(), { code: 0, stdout: /^shop$/m });
    const { stdout } = await cli('shop');
    t.match(stdout, /^shop +string +required +Name of the shop$/m);
    t.match(stdout, /^credentials\.token \(token\) +string +secret, required *$/m);
    t.match(stdout, /^region +eu \| us +default "eu" *$/m);
    const { config } = JSON.parse((await cli('shop', '--json')).stdout);
    t.match(config, { properties: { pages: { maximum: 50 } } });
    t.match(await cli('silent'), { code: 69, stderr: /"silent"/ });
    t.match(await cli('absent'), { code: 1, stderr: /no plug-in "absent"/ });
  });
});
