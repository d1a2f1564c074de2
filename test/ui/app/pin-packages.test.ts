// Long list: it walks through a part of the editor in a browser; quick: test/modules/tasks/script-right.test.ts, test/engine/script/dependencies.test.ts.
import { createHash } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { serve } from '../../support/served.ts';
import { appTests, checkLooks } from '../support/app-tests.ts';
import { servedProfile } from '../support/signed-in.ts';

t.setTimeout(300_000);

const LOCK = '{"packages":{}}';
const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const taskOf = (packages: string) => `version: 1
name: greet
connectors: { source: { type: csv } }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - id: greet
    kind: script
    input: read
    packages: ${packages}
    code: "export default (item) => item"
    lock: ${digestOf('an older one')}
`;

await appTests(async (open) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'headgate-packages-')));
  t.teardown(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'package-lock.json'), LOCK);
  const served = await serve(t, { SVC_SCRIPT_PACKAGES: `voices=${folder}` });
  const profile = await servedProfile(served);
  const made = (packages: string) =>
    served.api.post<{ id: number }>('/api/tasks', {
      name: packages,
      yaml_content: taskOf(packages).replace('greet', packages),
    });

  t.test('packages of scripts are pinned in the text, and saved with it', async (t) => {
    const { id } = await made('voices');
    const { page, complaints } = await open(t, `${served.url}/tasks/${id}?view=edit`, profile);
    const section = page.getByRole('region', { name: 'Packages of scripts' });
    await checkLooks(t, page);
    await section.getByRole('button', { name: 'Pin packages' }).click();
    await section.getByText('Pinned in the text, not yet saved').waitFor();
    await page.locator('.cm-content').getByText(digestOf(LOCK)).waitFor();
    await section.getByRole('button', { name: 'Pin packages' }).click();
    await section.getByText('Already pinned').waitFor();
    const answered = page.waitForResponse((answer) => answer.request().method() === 'PUT');
    await page.getByRole('button', { name: 'Save' }).click();
    t.equal((await answered).status(), 200);
    const { yaml_content } = await served.api.get<{ yaml_content: string }>(`/api/tasks/${id}`);
    t.match(yaml_content, digestOf(LOCK));
    t.same(complaints, []);
  });

  t.test('what cannot be pinned says why', async (t) => {
    const { id } = await made('unknown');
    const { page } = await open(t, `${served.url}/tasks/${id}?view=edit`, profile);
    const section = page.getByRole('region', { name: 'Packages of scripts' });
    await section.getByRole('button', { name: 'Pin newest versions' }).click();
    await section
      .getByRole('alert')
      .getByText('SVC_SCRIPT_PACKAGES has no folder for the packages "unknown"')
      .waitFor();
    await checkLooks(t, page);
  });
});
