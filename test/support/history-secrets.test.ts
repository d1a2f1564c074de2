import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { insertAudit } from '../../src/modules/audit/audit-store.ts';
import { frameOf, newExecutor, OPERATOR, openPlane, queueRun, startedRun } from '../modules/runs/plane.ts';
import { checkAudit } from './history-audit.ts';
import { change, finds } from './history-scene.ts';
import { checkSecret, findSecret } from './history-secrets.ts';
import { toLine } from './log-lines.ts';
import { eachStore } from './stores.ts';

await eachStore(t, 'I7: a secret is found in whatever form and place', async (t, store) => {
  const secret = 'p@ss w0rd/"q"+ü';
  const plane = openPlane(t, store);
  const forms = [
    secret,
    JSON.stringify(secret),
    encodeURIComponent(secret),
    ...['', 'u', 'us'].map((before) => Buffer.from(`${before}${secret} and more`).toString('base64')),
    Buffer.from(`ab${secret}`).toString('base64url'),
    Buffer.from(secret).toString('hex'),
  ];
  for (const form of forms) t.ok(findSecret(`before ${form} after`, secret).length > 0, form);
  t.same(findSecret('nothing of the kind, cEBzcyB3', secret), []);
  await queueRun(store);
  const check = () => checkSecret(secret, { store });
  const hidden = Buffer.from(`x${secret}`).toString('base64');
  await finds(
    t,
    store,
    check,
    [`update runs set error_json = '${hidden}'`],
    /table runs, column error_json: Base64/,
  );
  await change(store, `update runs set error_json = null`);
  const lease = await startedRun(plane, await newExecutor(plane));
  const line = toLine({
    at: 1,
    level: 'info',
    step_id: '',
    message: encodeURIComponent(secret),
    fields: null,
  });
  await plane.intake.appendLogs(frameOf({ lease, first_seq: 1, lines: [line] }));
  await t.rejects(check(), { message: /table run_logs, column message: URL/ });
  const file = join(t.testdir(), 'spool');
  writeFileSync(file, `${'x'.repeat(5 * 1_048_576)}${secret}`);
  await t.rejects(checkSecret(secret, { store, files: [file] }), { message: /file spool: plain/ });
  await t.rejects(checkSecret(secret, { store, answers: new Map([['/api/x', secret]]) }), {
    message: /answer of \/api\/x: plain/,
  });
});

await eachStore(
  t,
  'I8: a change without its row, and a row without its change, are found',
  async (t, store) => {
    const check = () => checkAudit(store.read);
    const entry = { action: 'run.start', resourceType: 'run', resourceId: await queueRun(store) };
    await t.rejects(check(), { message: /run.start 1: 0 rows/ });
    await store.write((tx) => insertAudit(tx, OPERATOR, entry, 1));
    await t.resolves(check());
    await store.write((tx) =>
      insertAudit(tx, OPERATOR, { action: 'job.create', resourceType: 'job', resourceId: 9 }, 1),
    );
    await t.rejects(check(), { message: /"job.create": there is no job 9/ });
    await t.rejects(checkAudit(store.read, { since: 0, writes: 3, unsure: 0 }), {
      message: /2 rows for 3 changes that succeeded/,
    });
  },
);
