import t from 'tap';
import type { CheckOf } from '../../../src/modules/connectors/connector-config.ts';
import { createPluginSpecs } from '../../../src/modules/connectors/plugin-specs.ts';
import { specifiedPlugin } from '../../drivers/airbyte/specification.ts';
import { openTestStore } from '../../support/stores.ts';
import { startWorkerPool } from '../../support/worker-pool.ts';
import { bundleOf, imported, plan } from './bundle-imports.ts';
import { createBundlesApp } from './bundles-app.ts';

t.test('a plan says what a source refuses in its configuration, and misses no secret', async (t) => {
  const plugins = [specifiedPlugin(t.testdir({}))];
  const pool = await startWorkerPool(t, { plugins });
  const specs = createPluginSpecs({ pool, plugins });
  const asked: string[] = [];
  const checkOf: CheckOf = (type, ...rest) => {
    asked.push(type);
    return specs.check(type, ...rest);
  };
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
  asked.splice(0);
  const others = bundle(config).replace('"Shop"', '"Other"').replace('name: Shop', 'name: Other');
  t.equal((await plan(test, { bundle: bundle(config) })).body.applicable, true);
  t.strictSame(asked, [], 'one that exists is not asked about');
  await plan(test, { bundle: others, connector_missing: 'fail' });
  t.strictSame(asked, [], 'nor one that is not to be created');
  await plan(test, { bundle: others });
  t.strictSame(asked, ['airbyte']);
});
