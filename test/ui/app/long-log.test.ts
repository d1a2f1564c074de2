// Long list: it draws a log in a browser; quick: test/ui/app/log-scale.test.ts, test/ui/app/runs.test.ts.
import t from 'tap';
import { serve } from '../../support/served.ts';
import { appTests } from '../support/app-tests.ts';
import { servedProfile } from '../support/signed-in.ts';

t.setTimeout(120_000);

await appTests(async (open) => {
  const served = await serve(t);
  const { url, api } = served;
  const yaml_content = 'version: 1\nname: work\nsteps: [{ id: say, kind: log, message: hello }]\n';
  const task = await api.post<{ id: number }>('/api/tasks', { yaml_content });
  const { id: run } = await api.post<{ id: number }>(`/api/tasks/${task.id}/runs`, { connectors: {} });

  t.test('a log of two million lines is drawn to its last one', async (t) => {
    const count = 2_000_000;
    const { page, complaints } = await open(t, url, await servedProfile(served));
    const line = (seq: number) => ({
      attempt: 1,
      seq,
      at: '2026-01-01T00:00:00.000Z',
      level: 'info',
      step_id: null,
      message: `line ${seq}`,
      fields: null,
    });
    await page.route(`**/api/runs/${run}/logs**`, async (route) => {
      const { pathname, searchParams } = new URL(route.request().url());
      if (pathname.endsWith('/stream')) {
        const end = JSON.stringify({ complete: true, reason: null });
        return route.fulfill({ contentType: 'text/event-stream', body: `event: end\ndata: ${end}\n\n` });
      }
      const after = Number((searchParams.get('after_seq') ?? '1.0').split('.')[1]);
      const length = Math.min(Number(searchParams.get('limit')), count - after);
      const result = Array.from({ length }, (_, at) => line(after + at + 1));
      return route.fulfill({
        json: { result, next_cursor: null, complete: true, attempts: [{ attempt: 1, last_seq: count }] },
      });
    });
    await page.goto(`${url}/runs/${run}`);
    const lines = page.getByRole('listbox', { name: 'Log' });
    await page.getByText('2,000,000 lines').waitFor();
    const shown = (seq: number) => lines.getByText(`line ${seq}`, { exact: true });
    const isInView = async (seq: number) => {
      const [box, list] = await Promise.all([shown(seq).boundingBox(), lines.boundingBox()]);
      if (box === null || list === null) return false;
      return box.y >= list.y - 1 && box.y + box.height <= list.y + list.height + 1;
    };
    const scrollTo = (part: number) =>
      page.evaluate(`{
        const list = document.querySelector('.log-lines');
        list.scrollTop = list.scrollHeight * ${part};
      }`);
    await scrollTo(1);
    await shown(count).waitFor();
    t.ok(await isInView(count), 'the end of the scroll bar is the last line');
    await lines.focus();
    await page.keyboard.press('Home');
    await shown(1).waitFor();
    t.ok(await isInView(1));
    await page.keyboard.press('End');
    await shown(count).waitFor();
    t.ok(await isInView(count), 'so is the key');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('PageUp');
    await scrollTo(0.5);
    await lines
      .getByText(/^line 1000\d{3}$|^line 99\d{4}$/)
      .first()
      .waitFor();
    t.same(complaints, []);
  });
});
