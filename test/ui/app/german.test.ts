// Long list: it walks through a screen of the page in a browser; quick: test/ui/texts-outside.test.ts, test/ui/app/frame.test.ts.
import t from 'tap';
import { serveOrders } from '../../support/orders-scene.ts';
import { appTests, checkLooks, overflow, phone } from '../support/app-tests.ts';
import { servedProfile } from '../support/signed-in.ts';

t.setTimeout(300_000);

const YAML = `title: Bestellungen
allow_public_input: true
pages:
  - id: one
    title: Zahlen
    widgets:
      - { id: none, type: table, title: Leer, connector: target, method: query, args: { sql: "select 1 as n where false" } }
      - { id: some, type: table, title: Zeilen, searchable: true, connector: target, method: query,
          args: { sql: "select 1234567.5 as n" } }
      - { id: chart, type: bar_chart, title: Verlauf, connector: target, method: query,
          args: { sql: "select 'a' as x, 2 as y union all select 'b', 3" },
          x_expr: item.x, series: [{ label: Anzahl, value_expr: item.y }] }
      - { id: run, type: task_progress, title: Lauf, task_key: load }
      - { id: go, type: action, label: Laden, run: { job: true }, confirm: true, allow_public: true }
  - { id: two, title: Leer, widgets: [] }
`;

await appTests(async (open) => {
  const { served, templateId, sourceId, targetId } = await serveOrders(t);
  const { url, api } = served;
  await api.post(`/api/job-templates/${templateId}/dashboard-templates`, {
    name: 'Zahlen',
    yaml_content: YAML,
  });
  await api.post(`/api/job-templates/${templateId}/jobs`, {
    name: 'orders',
    connector_mapping: { source: sourceId, target: targetId },
  });
  const { result } = await api.get<{ result: { id: number }[] }>('/api/dashboards');
  const id = result[0]?.id;
  const { public_url: address } = await api.post<{ public_url: string }>(`/api/dashboards/${id}/share`, {});
  const connector = `/connectors/${targetId}`;
  const signedIn = await servedProfile(served);
  const german = { locale: 'de-DE', viewport: { width: 1440, height: 900 } };

  t.test('a shared page speaks German to a German browser', async (t) => {
    const { page, complaints } = await open(t, new URL(address, url).href, german);
    const card = (name: string) => page.getByRole('article', { name });
    await card('Leer').getByText('Keine Datensätze').waitFor();
    await card('Zeilen').getByText('1.234.567,5').waitFor();
    await card('Zeilen').getByText('1 Datensatz').waitFor();
    await page.getByRole('searchbox', { name: 'In Zeilen suchen' }).waitFor();
    await page.getByRole('img', { name: /Balkendiagramm, 2 Punkte von a bis b/ }).waitFor();
    await card('Lauf').getByText('Dieser Task ist noch nicht gelaufen').waitFor();
    await page.getByRole('button', { name: 'Aktualisieren' }).waitFor();
    await checkLooks(t, page);
    await page.getByRole('tab', { name: 'Leer' }).click();
    await page.getByText('Diese Seite ist leer').waitFor();
    t.equal(await page.evaluate<string>('document.documentElement.lang'), 'de');
    await page.goto(new URL('/share/none', url).href);
    await page.getByText('Dieser Link ist nicht mehr gültig').waitFor();
    t.same(
      complaints.filter((one) => !/404/.test(one)),
      [],
    );
  });

  t.test('so do the widgets inside the page, in the language that was chosen', async (t) => {
    const { page } = await open(t, `${url}/dashboards/${id}`, signedIn);
    await page.getByText('No records').waitFor();
    await page.getByText('1,234,567.5').waitFor();
    await page.getByLabel('Language').selectOption('de');
    await page.getByText('Keine Datensätze').waitFor();
    await page.getByText('1.234.567,5').waitFor();
    await page.getByRole('img', { name: /Balkendiagramm/ }).waitFor();
  });

  t.test('each screen fits a phone in German, and says what it says as German does', async (t) => {
    const profile = { ...signedIn, ...phone, locale: 'de-DE' };
    const { page } = await open(t, `${url}${connector}?view=health`, profile);
    await page.getByText(/Funktioniert seit \d+\. \S+ 20\d\d/).waitFor();
    for (const path of [
      ...['', '?view=edit', '?view=share', '?view=template'].map((view) => `/dashboards/${id}${view}`),
      ...['', '?view=browse', '?view=jobs', '?view=health'].map((view) => connector + view),
      ...['users', 'api-keys', 'executors', 'queue', 'notifications', 'webhooks', 'metrics', 'bundles'].map(
        (screen) => `/admin/${screen}`,
      ),
      ...['ai-references', 'audit', 'settings', 'about'].map((screen) => `/admin/${screen}`),
    ]) {
      await page.goto(url + path);
      await page.waitForLoadState('networkidle');
      if (path.endsWith('metrics')) await page.getByRole('heading', { name: 'Schritte' }).waitFor();
      t.ok((await overflow(page)) <= 0, path);
      t.notMatch(await page.getByRole('main').textContent(), /seit (vor|in) /, path);
    }
  });
});
