import t from 'tap';
import { registerBrandingRoutes } from '../../../src/modules/branding/branding-routes.ts';
import { createTestApp } from '../../support/app.ts';

t.test('branding is told to anybody, before anybody has signed in', async (t) => {
  const { anonymous } = await createTestApp(t, (app) => registerBrandingRoutes(app));
  t.match(await anonymous.get('/api/branding'), {
    status: 200,
    body: {
      product_name: 'Headgate',
      logo_url: null,
      favicon_url: null,
      primary_color: null,
      support_url: null,
    },
  });
});
