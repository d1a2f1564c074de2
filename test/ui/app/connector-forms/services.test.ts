// Long list: it fills in forms of the page in a browser; quick: test/ui/app/config-values.test.ts, test/modules/connectors/connector-routes.test.ts.
import t, { type Test } from 'tap';
import { ODATA_TOKEN, startOdata } from '../../../drivers/business-app/odata-peer.ts';
import { answer, startApi } from '../../../drivers/http/http-api.ts';
import { startTruto, TRUTO_ACCOUNTS, TRUTO_TOKEN } from '../../../drivers/unified-api/truto-peer.ts';
import { serve } from '../../../support/served.ts';
import { appTests } from '../../support/app-tests.ts';
import { drawnTypes, type FormCase, formTypes, walkForm } from '../../support/connector-form.ts';
import { servedProfile } from '../../support/signed-in.ts';

t.setTimeout(180_000);
const KEY = 'correct horse';

const cases: Record<(typeof formTypes.services)[number], (t: Test) => Promise<FormCase>> = {
  http: async (t) => {
    const api = await startApi(t, (_query, { path, headers }, _index, response) => {
      if (headers['x-shop-key'] !== KEY) return answer(response, 401, '{"error": "unknown key"}');
      return path === '/v1/me' ? { name: 'Ada' } : { data: [{ id: 1, customer: 'Nord GmbH' }] };
    });
    return {
      title: 'HTTP API',
      fields: {
        base_url: `${api.base}/v1`,
        auth: 'api_key',
        name: 'X-Shop-Key',
        api_key: KEY,
        test_path: '/me',
        headers: '{"X-Team": "data"}',
        resources: '{"orders": {"path": "/orders", "records": "data"}}',
        statuses: '429\n503',
      },
      secrets: ['api_key'],
      mistake: ['api_key', 'wrong horse', /401/],
      shown: { resource: 'orders', cell: 'Nord GmbH' },
    };
  },
  unified_api: async (t) => ({
    title: 'Unified API',
    fields: {
      provider: 'truto',
      base_url: (await startTruto(t)).base,
      token: TRUTO_TOKEN,
      integrated_account_id: TRUTO_ACCOUNTS[0]?.id ?? '',
    },
    secrets: ['token'],
    mistake: ['token', 'wrong horse', /401/],
    shown: { resource: 'crm/contacts', cell: 'Contact 1' },
  }),
  business_app: async (t) => ({
    title: 'Business application',
    fields: { base_url: (await startOdata(t)).base, auth: 'bearer', token: ODATA_TOKEN },
    secrets: ['token'],
    mistake: ['token', 'wrong horse', /401|Who are you/],
    shown: { resource: 'customers', cell: 'Customer 1' },
  }),
};

await appTests(async (open) => {
  const served = await serve(t, { SVC_OUTBOUND_ALLOW: '127.0.0.1' });
  const walk = { open, served, profile: await servedProfile(served) };
  for (const type of drawnTypes(t, formTypes.services))
    t.test(type, async (t) => walkForm(t, walk, await cases[type](t)));
});
