import t from 'tap';
import { parse } from 'yaml';
import { codeBlocks } from '../../docs/markdown-files.ts';
import { createKeeper, rowsOf, runYaml } from '../../engine/support/task-run.ts';
import { ODATA_TOKEN, startOdata } from './odata-peer.ts';

const blocks = codeBlocks('docs/connectors/business-app.md');
const textOf = (info: string) => blocks.find((block) => block.info === info)?.text ?? '';
// biome-ignore lint/suspicious/noTemplateCurlyInString: as the guide writes it
const VARIABLE = '${env:CRM_SECRET}';

t.test('the example of the guide loads all customers, and then only those that changed', async (t) => {
  const peer = await startOdata(t, 6);
  peer.hook = (response, { path, method, body }) => {
    if (path !== '/token') return false;
    t.equal(method, 'POST');
    t.match(body, 'grant_type=client_credentials');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ access_token: ODATA_TOKEN, expires_in: 3_600 }));
    return true;
  };
  const { crm, warehouse } = parse(textOf('yaml connectors').replace(VARIABLE, 's3cret'));
  crm.config.base_url = peer.base;
  crm.config.auth.token_url = new URL('/token', peer.base).href;
  const folder = t.testdir({});
  // The peer's records are other ones than those of Dynamics.
  const yaml = textOf('yaml task')
    .replaceAll('accountid', 'id')
    .replace('statecode: 0', 'active: true')
    .replace('entity: accounts', 'entity: customers');
  const run = { folder, yaml, connectors: { crm, warehouse }, keeper: createKeeper() };
  t.match(await runYaml(run), { status: 'success', rows_in: 3 });
  Object.assign(peer.customers[3] ?? {}, { name: 'Renamed', modifiedon: '2026-02-01T00:00:00Z' });
  t.match(await runYaml(run), { status: 'success' });
  t.match(
    peer.receiver.received.at(-1)?.path,
    'modifiedon%20ge%202026-01-07T00:00:00Z'.replaceAll(':', '%3A'),
  );
  t.strictSame(rowsOf(`${folder}/crm.db`, 'select name, revenue from customers order by id'), [
    { name: 'Customer 2', revenue: 2.5 },
    { name: 'Renamed', revenue: 4.5 },
    { name: 'Customer 6', revenue: 6.5 },
  ]);
});
