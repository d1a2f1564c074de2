import t from 'tap';
import { findChromium, launchChromium, openPage } from '../../support/browser.ts';
import { ofFullList } from '../../support/fault-list.ts';
import { startFullApp } from '../../support/full-app.ts';

const chromium = findChromium();

t.test('the reference page', async (t) => {
  const full = await startFullApp(t);
  const origin = full.plane.httpAddress;

  await t.test('allows no inline script and no other host', async (t) => {
    const first = await fetch(`${origin}/api/docs`);
    t.equal(first.status, 200);
    const policy = first.headers.get('content-security-policy') ?? '';
    t.match(policy, /script-src 'self';/);
    t.notMatch(policy, /unsafe-eval|https?:|\*/);
    const html = await first.text();
    t.notMatch(html, /https?:\/\//);
    for (const script of html.match(/<script.*?<\/script>/gs) ?? []) t.match(script, /><\/script>$/, 'empty');
  });

  await t.test('gives its script once, compressed, then by its ETag', async (t) => {
    const url = `${origin}/api/docs/reference.js`;
    const first = await fetch(url);
    t.match(first.headers.get('content-type'), /javascript/);
    t.equal(first.headers.get('content-encoding'), 'gzip');
    t.ok((await first.text()).length > 1_000_000);
    const again = await fetch(url, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
    t.equal(again.status, 304);
  });

  await t.test(
    'shows the operations in a browser without a breach of the policy',
    { skip: ofFullList.skip || chromium === null },
    async (t) => {
      const browser = await launchChromium(chromium ?? '');
      t.teardown(() => browser.close());
      const context = await browser.newContext();
      const asked: string[] = [];
      context.on('request', (request) => asked.push(request.url()));
      const { page, complaints } = await openPage(context, `${origin}/api/docs`);
      await page
        .getByRole('heading', { name: 'Headgate control plane' })
        .first()
        .waitFor({ timeout: 15_000 });
      t.same(complaints, []);
      t.same(
        asked.filter(
          (url) => !url.startsWith(origin) && !url.startsWith('data:') && !url.startsWith('blob:'),
        ),
        [],
      );
    },
  );
});
