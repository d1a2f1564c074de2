// Long list: it starts a Firefox; quick: test/ui/app/log-scale.test.ts, test/ui/app/runs.test.ts.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateSync } from 'otplib';
import t, { type Test } from 'tap';
import { FirefoxPage, findFirefox } from '../../../support/firefox-page.ts';
import { type Served, serve } from '../../../support/served.ts';
import { buildPages } from '../../support/build-pages.ts';

t.setTimeout(300_000);

const LINES = 2_000_000;
const TOTP_STEP_SECONDS = 30;

/** The server, but for the log of a run, which is as long as no executor would write it in a test. */
async function withLongLog(t: Test, { url }: Served, run: number): Promise<string> {
  const { port } = new URL(url);
  const proxy = createServer((asked, answer) => {
    const { pathname, searchParams } = new URL(asked.url ?? '/', url);
    if (!pathname.startsWith(`/api/runs/${run}/logs`)) {
      const { method, headers, url: path } = asked;
      const passed = request({ host: '127.0.0.1', port, path, method, headers }, (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers);
        got.pipe(answer);
      });
      passed.on('error', () => answer.destroy());
      asked.pipe(passed);
      return;
    }
    if (pathname.endsWith('/stream')) {
      answer.setHeader('content-type', 'text/event-stream');
      answer.end(`event: end\ndata: ${JSON.stringify({ complete: true, reason: null })}\n\n`);
      return;
    }
    const after = Number((searchParams.get('after_seq') ?? '1.0').split('.')[1]);
    const length = Math.min(Number(searchParams.get('limit')), LINES - after);
    const result = Array.from({ length }, (_, index) => ({
      attempt: 1,
      seq: after + index + 1,
      at: '2026-01-01T00:00:00.000Z',
      level: 'info',
      step_id: null,
      message: `line ${after + index + 1}`,
      fields: null,
    }));
    answer.setHeader('content-type', 'application/json');
    answer.end(
      JSON.stringify({
        result,
        next_cursor: null,
        complete: true,
        attempts: [{ attempt: 1, last_seq: LINES }],
      }),
    );
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.teardown(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

const firefox = findFirefox();
if (firefox === null) t.plan(0, 'no Firefox on the PATH or at FIREFOX_PATH');
else {
  await buildPages();
  t.test('a log of two million lines is drawn to its last one in Firefox too', async (t) => {
    const served = await serve(t);
    const { api, user } = served;
    const yaml_content = 'version: 1\nname: work\nsteps: [{ id: say, kind: log, message: hello }]\n';
    const task = await api.post<{ id: number }>('/api/tasks', { yaml_content });
    const { id: run } = await api.post<{ id: number }>(`/api/tasks/${task.id}/runs`, { connectors: {} });
    const url = await withLongLog(t, served, run);
    const page = await FirefoxPage.start(t, firefox);
    await page.goto(url);
    await page.type('Email', user.email);
    await page.type('Password', user.password);
    await page.click('button', 'Continue');
    const epoch = Math.floor(Date.now() / 1_000) + TOTP_STEP_SECONDS;
    await page.type('Code', generateSync({ secret: user.totpSecret, epoch }));
    await page.click('button', 'Continue');
    await page.until(`document.querySelector('h1')?.textContent === 'Home'`);
    await page.goto(`${url}/runs/${run}`);
    await page.until(`document.body.innerText.includes('2,000,000 lines')`);
    /** The line is drawn, and wholly inside the list. */
    const isInView = (seq: number) => `(() => {
      const list = document.querySelector('.log-lines').getBoundingClientRect();
      return [...document.querySelectorAll('.log-lines *')].some((one) => {
        if (one.children.length > 0 || one.textContent.trim() !== 'line ${seq}') return false;
        const { top, bottom, height } = one.getBoundingClientRect();
        return height > 0 && top >= list.top - 1 && bottom <= list.bottom + 1;
      });
    })()`;
    const scrollTo = (part: number) =>
      page.until(`(() => {
        const list = document.querySelector('.log-lines');
        list.scrollTop = list.scrollHeight * ${part};
        return true;
      })()`);
    await scrollTo(1);
    await page.until(isInView(LINES));
    await scrollTo(0);
    await page.until(isInView(1));
    t.same(page.complaints, []);
  });
}
