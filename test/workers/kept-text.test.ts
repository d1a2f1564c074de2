import t from 'tap';
import { documentText } from '../support/document-text.ts';
import { startWorkerPool } from '../support/worker-pool.ts';

t.test("a document's text goes to a thread once", async (t) => {
  const pool = await startWorkerPool(t, { threads: 1 });
  const documentOf = (title: string) =>
    documentText(
      `pages: [{ id: p, title: P, widgets: [{ id: w, type: stat, source: job, value_expr: "'${title}'" }] }]`,
    );
  const compute = (documentKey: string, document: string) =>
    pool.run({
      kind: 'widgets',
      input: {
        documentKey,
        document,
        connectors: {},
        connectorNames: [],
        publicEntries: [],
        context: { job: {}, job_config: {}, args: {} },
        publicView: false,
        widgets: [{ widgetId: 'w', runs: [] }],
      },
    });
  const payloadOf = async (documentKey: string, document: string) =>
    JSON.stringify(await compute(documentKey, document));
  // What cannot be cloned fails where it is sent.
  const unsendable = (() => '') as unknown as string;

  t.match(await payloadOf('1:1', documentOf('first')), /first/, 'asked for by a thread that has no document');
  t.match(await payloadOf('1:1', unsendable), /first/, 'and not sent to one that has it');
  t.match(await payloadOf('1:2', documentOf('second')), /second/, 'another version is another document');
  await t.rejects(compute('1:3', unsendable), { code: 'INTERNAL_ERROR' });

  for (let n = 0; n < 40; n += 1) await compute(`${n}:9`, documentOf(`n${n}`));
  t.match(
    await payloadOf('1:1', documentOf('first')),
    /first/,
    'a document that was dropped is asked for again',
  );

  const { hostPid } = pool.stats();
  process.kill(hostPid as number, 'SIGKILL');
  const after = await Promise.all(Array.from({ length: 6 }, () => payloadOf('1:1', documentOf('first'))));
  t.ok(
    after.every((text) => /first/.test(text)),
    'a new host asks for it, and so does one for a call alone',
  );
});
