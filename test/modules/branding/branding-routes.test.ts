import t from 'tap';
import { registerBrandingRoutes } from '../../../src/modules/branding/branding-routes.ts';
import { createBrandings } from '../../../src/modules/branding/branding-service.ts';
import { createTestApp } from '../../support/app.ts';
import { eachStore } from '../../support/stores.ts';

const FIRST = {
  product_name: 'Headgate',
  logo_url: null,
  favicon_url: null,
  primary_color: null,
  support_url: null,
};

await eachStore(t, 'branding is told to anybody and replaced by an admin', async (t, store) => {
  const { anonymous, as } = await createTestApp(t, (app, { clock }) =>
    registerBrandingRoutes(app, { brandings: createBrandings({ store, clock }) }),
  );
  t.match(await anonymous.get('/api/branding'), { status: 200, headers: { etag: '"0"' }, body: FIRST });
  const own = {
    product_name: 'Northwind Data',
    logo_url: '/logo.png',
    favicon_url: 'data:image/png;base64,iVBORw0KGgo=',
    primary_color: '#0a7',
    support_url: 'mailto:help@example.com',
  };
  t.match(await as('editor').put('/api/branding', own), { status: 403 });
  t.match(await anonymous.put('/api/branding', own), { status: 401 });
  const admin = as('admin');
  const saved = await admin.put('/api/branding', own, { 'if-match': '"0"' });
  t.match(saved, { status: 200, headers: { etag: '"1"' }, body: own });
  t.same((await anonymous.get('/api/branding')).body, own);
  t.match(await admin.put('/api/branding', own), { headers: { etag: '"1"' } }, 'identical: no version');
  t.match(await admin.put('/api/branding', {}, { 'if-match': '"0"' }), { status: 412 });
  const some = await admin.put('/api/branding', { product_name: ' Other ' });
  t.match(some, { headers: { etag: '"2"' }, body: { ...FIRST, product_name: 'Other' } });
  const audits = await store.read
    .selectFrom('audit_logs')
    .select('diff_json')
    .where('action', '=', 'branding.update')
    .orderBy('id')
    .execute();
  t.equal(audits.length, 2);
  t.match(JSON.parse(audits[0]?.diff_json ?? ''), { product_name: ['Headgate', 'Northwind Data'] });
});

await eachStore(t, 'branding that pages would not show, or should not, is refused', async (t, store) => {
  const { anonymous, as } = await createTestApp(t, (app, { clock }) =>
    registerBrandingRoutes(app, { brandings: createBrandings({ store, clock }) }),
  );
  const wrong: readonly (readonly [string, unknown])[] = [
    ['product_name', ' '],
    ['product_name', 'x'.repeat(61)],
    ['logo_url', 'https://elsewhere.example/logo.png'],
    ['logo_url', '//elsewhere.example/logo.png'],
    ['logo_url', '/\\elsewhere.example'],
    ['logo_url', 'data:image/svg+xml;base64,PHN2Zz4='],
    ['favicon_url', 'javascript:alert(1)'],
    ['favicon_url', `data:image/png;base64,${'A'.repeat(200_001)}`],
    ['primary_color', 'red;background:url(//x)'],
    ['support_url', 'javascript:alert(1)'],
    ['support_url', 'ftp://example.com'],
    ['unknown', 1],
  ];
  for (const [key, value] of wrong) {
    const refused = await as('admin').put<{ details: { path: string }[] }>('/api/branding', { [key]: value });
    t.match(
      refused,
      { status: 400, body: { error: 'VALIDATION_ERROR' } },
      `${key}: ${String(value).slice(0, 40)}`,
    );
  }
  t.same((await anonymous.get('/api/branding')).body, FIRST, 'nothing was saved');
});
