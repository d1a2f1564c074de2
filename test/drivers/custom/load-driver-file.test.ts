import { join } from 'node:path';
import t from 'tap';
import { findDriverFiles, loadDriverFile } from '../../../src/drivers/custom/load-driver-file.ts';

const DRIVER = `({ z }) => ({
  type: 'TYPE', title: 'A driver', capabilities: { write: [], introspect: false },
  config: z.strictObject({ url: z.string(), token: z.string() }), secrets: ['token'], hostKeys: ['url'],
  methods: [{ name: 'read', summary: 'Reads', kind: 'rows', args: z.strictObject({}) }],
  connect: async () => { throw new TypeError('broken ' + 'inside'); },
})`;
const moduleOf = (create: string, version = '1') =>
  `export default { interfaceVersion: ${version}, create: ${create} };`;
const named = (type: string) => moduleOf(DRIVER.replace('TYPE', type));

t.test('drivers are found by path and by package, and what they throw is a fault of theirs', async (t) => {
  const folder = t.testdir({
    'one.mjs': named('one'),
    node_modules: {
      'headgate-two': {
        'package.json': JSON.stringify({ name: 'headgate-two', type: 'module', exports: './two.js' }),
        'two.js': named('two'),
      },
    },
  });
  const files = await findDriverFiles(['./one.mjs', 'headgate-two'], folder);
  t.strictSame(files, [
    { type: 'one', path: join(folder, 'one.mjs') },
    { type: 'two', path: join(folder, 'node_modules/headgate-two/two.js') },
  ]);
  const driver = await loadDriverFile({ type: 'one', path: join(folder, 'one.mjs') });
  const context = { fileRoots: [], forbiddenFiles: [], connectTimeoutMs: 1 };
  await t.rejects(driver.connect({}, context), {
    fault: 'TARGET',
    message: 'The driver "one" failed: broken inside',
  });
});

t.test('what is no driver of this interface is refused, with what to change', async (t) => {
  const files = {
    'throws.mjs': 'throw new Error("no licence");',
    'syntax.mjs': 'export default {',
    'nothing.mjs': 'export const driver = 1;',
    'newer.mjs': moduleOf(DRIVER, '2'),
    'create.mjs': moduleOf('() => { throw new Error("no server"); }'),
    'empty.mjs': moduleOf('() => null'),
    'csv.mjs': named('csv'),
    'upper.mjs': named('Upper'),
    'one.mjs': named('one'),
    'other.mjs': named('one'),
    'mode.mjs': moduleOf(DRIVER.replace('write: []', 'write: ["overwrite"]')).replace('TYPE', 'mode'),
    'schema.mjs': moduleOf(DRIVER.replace(/config: z[^)]*\)[^)]*\)[^)]*\)/, 'config: {}')).replace(
      'TYPE',
      'schema',
    ),
    'secret.mjs': named('secret').replace(`['token']`, `['password']`),
    'methods.mjs': named('methods').replace(`'read'`, `'columns'`),
  };
  const folder = t.testdir(files);
  const refused: readonly (readonly [names: readonly string[], message: RegExp])[] = [
    [['./absent.mjs'], /^The driver "\.\/absent\.mjs" does not exist \(SVC_DRIVERS or --driver\)$/],
    [['absent-package'], /"absent-package" is no package that is installed here/],
    [['./throws.mjs'], /"\.\/throws\.mjs" cannot be loaded: no licence/],
    [['./syntax.mjs'], /cannot be loaded: Unexpected end of input/],
    [['./nothing.mjs'], /has no default export with an "interfaceVersion"/],
    [['./newer.mjs'], /is made for version 2 of the driver interface; this program has version 1/],
    [['./create.mjs'], /cannot be created: no server/],
    [['./empty.mjs'], /makes no driver/],
    [['./csv.mjs'], /has the type "csv", which a connector of this program has/],
    [['./upper.mjs'], /has a wrong "type": must be up to 50 lower-case letters/],
    [['./one.mjs', './other.mjs'], /"\.\/other\.mjs" has the type "one", as "\.\/one\.mjs" has/],
    [['./mode.mjs'], /has a wrong "capabilities\.write\.0"/],
    [['./schema.mjs'], /has a wrong "config": must be a schema made with the "z" of the kit/],
    [['./secret.mjs'], /names the key "password", which its "config" does not have/],
    [['./methods.mjs'], /has a method "columns", which every connector gets/],
  ];
  for (const [names, message] of refused)
    await t.rejects(findDriverFiles(names, folder), { code: 'NOT_READY', message }, names.join());
});
