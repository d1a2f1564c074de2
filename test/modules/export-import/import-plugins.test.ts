import t from 'tap';
import { createPluginSpecs } from '../../../src/modules/connectors/plugin-specs.ts';
import { specifiedPlugin } from '../../drivers/airbyte/specification.ts';
import { openTestStore } from '../../support/stores.ts';
import { startWorkerPool } from '../../support/worker-pool.ts';
import { bundleOf, imported, plan } from './bundle-imports.ts';
import { createBundlesApp } from './bundles-app.ts';

t.test('a plan says what a source refuses in its configuration, and misses no secret', async (t) => {
  const plugins = [specifiedPlugin(t.testdir({}))];
  const pool = await startWorkerPool(t, { plugins });
  const { check: checkOf } = createPluginSpecs({ pool, plugins });
  const test = await createBundlesApp(t, await openTestStore(t, 'sqlite'), pool, { checkOf });
  const config = { shop: 'nordwind', credentials: { option: 'token' } };
  const bundle = (inner: object, plugin = 'shop') =>
    bundleOf({
      connectors: [
        { name: 'Shop', type: 'airbyte', config: { plugin, config: inner }, secrets: ['secrets'] },
      ],
    });
  const problemsOf = async (text: string) => {
    const { body } = await plan(test, { bundle: text });
    return [body.applicable, ...body.items.flatMap(({ problems }) => problems.map(({ path }) => path))];
  };
  t.strictSame(await problemsOf(bundle(config)), [true]);
  t.strictSame(await problemsOf(bundle({ ...config, pages: 51 })), [false, 'config.config.pages']);
  const inClear = { ...config, credentials: { option: 'token', token: 'pl4nted-s3cret' } };
  t.strictSame(await problemsOf(bundle(inClear)), [false, 'config.config.credentials.token']);
  t.strictSame(await problemsOf(bundle({ ...config, pages: 51 }, 'elsewhere')), [true], 'it is not here');
  t.equal((await imported(test, { bundle: bundle(config) })).status, 200);
});
