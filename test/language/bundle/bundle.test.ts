import fc from 'fast-check';
import { strToU8, unzipSync, zipSync } from 'fflate';
import t from 'tap';
import { BUNDLE_LIMITS, type Bundle } from '../../../src/language/bundle/bundle.ts';
import { parseBundleZip, writeBundleZip } from '../../../src/language/bundle/bundle-zip.ts';
import { parseBundle } from '../../../src/language/bundle/parse-bundle.ts';
import { writeBundle } from '../../../src/language/bundle/write-bundle.ts';
import { fewOrAll, fewOrMany } from '../../support/fault-list.ts';

const HOSTILE = [
  'true',
  'no',
  '~',
  '1e3',
  '0x1F',
  '-',
  '- a',
  'a: b',
  '# x',
  '"quoted"',
  "'",
  '%YAML 1.1',
  '--- ',
  '&a *a',
  '!!js',
  '{}',
  '[',
  '|',
  '>-',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  'ünïcödé 名前 🚀',
  '\u2028',
  '\u0085',
  '\ufeffx',
  'a\u007f',
  '\\',
  'CON',
];
const piece = fc.oneof(
  fc.constantFrom(...HOSTILE, '\n', '\n\n', ' ', '  ', '\t', '\r', '\r\n', '...', '---\n', '\u001b[31m'),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const storable = (text: string) => text.trim() !== '' && !text.includes('\0') && text.isWellFormed();
const text = fc
  .array(piece, { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join(''))
  .filter(storable);
const name = fc
  .oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'grapheme', maxLength: 20 }))
  .map((given) => given.trim())
  .filter((given) => given !== '' && !/\p{Cc}/u.test(given) && storable(given));
const byName = { selector: (item: { name: string }) => item.name, maxLength: 4 };
const description = fc.oneof(
  fc.constant(null),
  fc.string({ unit: 'grapheme', maxLength: 40 }).filter((d) => d === '' || storable(d)),
);
const definition = fc.record({ name, description, yaml: text });
const key = fc
  .string({ minLength: 1, maxLength: 10 })
  .filter((k) => !['__proto__', 'constructor', 'prototype'].includes(k) && storable(k));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.constantFrom(0.5, -1.25e-7, 3e40),
    text,
    fc.constant(''),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
const bundles: fc.Arbitrary<Bundle> = fc.record({
  connectors: fc.uniqueArray(
    fc.record({
      name,
      type: fc.constantFrom('sqlite', 'postgres'),
      description,
      config: fc.dictionary(key, json, { maxKeys: 3, noNullPrototype: true }),
      secrets: fc.uniqueArray(fc.constantFrom('password', 'url', 'no'), { maxLength: 3 }),
    }),
    byName,
  ),
  tasks: fc.uniqueArray(definition, byName),
  job_templates: fc.uniqueArray(
    fc.record({ name, description, yaml: text, dashboard_templates: fc.uniqueArray(definition, byName) }),
    byName,
  ),
}) as fc.Arbitrary<Bundle>;

t.test(
  'whatever is written is read back, as YAML and as a zip, and written again with the same bytes',
  async (t) => {
    fc.assert(
      fc.property(bundles, (bundle) => {
        const written = writeBundle(bundle);
        const read = parseBundle(written);
        if (!read.ok) throw new Error(`${JSON.stringify(read.problems)}\n${written}`);
        const zip = writeBundleZip(bundle);
        const unzipped = parseBundleZip(zip);
        if (!unzipped.ok) throw new Error(JSON.stringify(unzipped.problems));
        t.same(unzipped.value, read.value);
        if (writeBundle(read.value) !== written) throw new Error(`not stable:\n${written}`);
        if (Buffer.compare(writeBundleZip(read.value), zip) !== 0) throw new Error('the zip is not stable');
        const shuffled = {
          ...bundle,
          tasks: bundle.tasks.toReversed(),
          connectors: bundle.connectors.toReversed(),
        };
        if (writeBundle(shuffled) !== written) throw new Error('depends on the order');
        const names = (list: readonly { name: string }[]) => list.map((item) => item.name).sort();
        if (String(names(read.value.tasks)) !== String(names(bundle.tasks))) throw new Error('names');
        for (const task of bundle.tasks)
          if (read.value.tasks.find((other) => other.name === task.name)?.yaml !== task.yaml)
            throw new Error(`text of ${JSON.stringify(task)}\n${written}`);
      }),
      { numRuns: fewOrMany(30, 200) },
    );
  },
);

t.test('the text of a definition stands in the bundle line by line', async (t) => {
  const yaml = 'version: 1\nname: copy\n\nsteps:\n  - { id: a }\n';
  const bundle: Bundle = {
    connectors: [{ name: 'db', type: 'sqlite', description: null, config: { path: '/x.db' }, secrets: [] }],
    tasks: [{ name: 'copy', description: 'no: really', yaml }],
    job_templates: [{ name: 'nightly', yaml: 'a\nb', dashboard_templates: [{ name: 'd', yaml: ' x\n' }] }],
  };
  t.equal(
    writeBundle(bundle),
    `headgate_bundle: 1
connectors:
  - name: db
    type: sqlite
    description: null
    config:
      path: "/x.db"
    secrets: []
tasks:
  - name: copy
    description: "no: really"
    yaml: |
      version: 1
      name: copy

      steps:
        - { id: a }
job_templates:
  - name: nightly
    yaml: |-
      a
      b
    dashboard_templates:
      - name: d
        yaml: |2
           x
`,
  );
});

t.test('a zip has a file for each definition, whatever its name', async (t) => {
  const yaml = 'a: 1\n';
  const names = ['copy', '../../etc/passwd', 'Copy', 'con', '名前', '-'];
  const bundle = { connectors: [], job_templates: [], tasks: names.map((each) => ({ name: each, yaml })) };
  const paths = Object.keys(unzipSync(writeBundleZip(bundle)));
  t.equal(paths.length, names.length + 1);
  t.ok(paths.includes('tasks/copy.yaml'));
  for (const path of paths) t.match(path, /^(?:tasks\/)?[a-z0-9][a-z0-9-]*\.yaml$/);
});

const messages = (yaml: string) => {
  const read = parseBundle(yaml);
  return read.ok ? [] : read.problems.map((problem) => `${problem.path}: ${problem.message}`);
};

t.test('what is wrong with a bundle is told at once, with its place', async (t) => {
  const read = parseBundle(`headgate_bundle: 1
tasks:
  - { name: a, yaml: x, id: 3 }
  - { name: a, yaml: x }
  - { name: " b", yaml: "" }
  - { name: "c\\nd", yaml_file: tasks/c.yaml }
connectors: [{ name: c }]
`);
  t.match(read, { ok: false });
  if (read.ok) return;
  t.same(
    read.problems.map(({ path, line }) => [path, line]),
    [
      ['tasks[0].id', 3],
      ['tasks[1].name', 4],
      ['tasks[2].name', 5],
      ['tasks[2].yaml', 5],
      ['tasks[3].name', 6],
      ['tasks[3].yaml_file', 6],
      ['connectors[0].type', 7],
    ],
  );
  t.match(messages('headgate_bundle: 2\ntasks: []\n'), [/"headgate_bundle" must be 1/]);
  t.match(messages('- a'), [/The document must be a map/]);
});

t.test('hostile documents are refused', async (t) => {
  const head = 'headgate_bundle: 1\n';
  for (const unsafe of ['__proto__', 'constructor', 'prototype']) {
    t.match(messages(`${head}${unsafe}: { polluted: 1 }\n`), [/not allowed/]);
    t.match(messages(`${head}connectors: [{ name: a, type: b, config: { x: { ${unsafe}: 1 } } }]\n`), [
      /not allowed/,
    ]);
  }
  t.match(messages(`${head}tasks:\n  - &a { name: a, yaml: x }\n  - *a\n`), [/more than 0 aliases/]);
  t.match(messages(`${head}tasks: [{ name: a, yaml: "a\\0b" }]\n`), [/cannot be stored/]);
  t.match(messages(`${head}tasks: [{ name: a, yaml: "\\ud800" }]\n`), [/cannot be stored/]);
  t.match(messages(`${head}connectors: [{ name: a, type: b, config: { "k\\0": 1 } }]\n`), [
    /cannot be stored/,
  ]);
  t.match(messages(`${head}tasks: ${'['.repeat(50)}\n`), [/nested more than 40 deep/]);
  t.match(messages(`${head}# ${'x'.repeat(BUNDLE_LIMITS.bytesMax)}\n`), [/longer than 2097152 bytes/]);
  const many = Array.from({ length: 1_001 }, (_, index) => `  - { name: t${index}, yaml: x }\n`).join('');
  t.match(messages(`${head}tasks:\n${many}`), [/more than 1000 items/]);
  const half = (list: string) => `${list}:\n${many.split('\n').slice(0, 600).join('\n')}\n`;
  t.match(messages(`${head}${half('tasks')}${half('job_templates')}`), [/1200 items, more than the/]);
  t.match(messages(`${head}tasks: !!js/function x\n`), [/Tags are not supported|Unresolved/]);
});

t.test('hostile zips are refused', async (t) => {
  const manifest = strToU8('headgate_bundle: 1\ntasks: [{ name: a, yaml_file: tasks/a.yaml }]\n');
  const refusal = (bytes: Uint8Array) => {
    const read = parseBundleZip(bytes);
    return read.ok ? 'ok' : read.problems.map((problem) => problem.message).join(';');
  };
  const zip = (files: Record<string, Uint8Array>) => refusal(zipSync(files, { level: 9 }));
  const text = strToU8('a: 1\n');
  t.equal(zip({ 'bundle.yaml': manifest, 'tasks/a.yaml': text }), 'ok');
  t.equal(zip({ 'tasks/': new Uint8Array(), 'bundle.yaml': manifest, 'tasks/a.yaml': text }), 'ok');
  for (const path of ['../a.yaml', '/etc/a.yaml', 'tasks/../a.yaml', 'C:\\a.yaml', 'tasks/a.sh', 'a\0.yaml'])
    t.match(zip({ 'bundle.yaml': manifest, 'tasks/a.yaml': text, [path]: text }), /^The zip holds /, path);
  t.match(zip({ 'tasks/a.yaml': text }), /no file "bundle.yaml"/);
  t.match(zip({ 'bundle.yaml': manifest }), /no file "tasks\/a\.yaml" in/);
  t.match(
    zip({ 'bundle.yaml': manifest, 'tasks/a.yaml': text, 'tasks/b.yaml': text }),
    /No definition names/,
  );
  t.match(zip({ 'bundle.yaml': manifest, 'tasks/a.yaml': Uint8Array.of(0xff, 0xfe) }), /not UTF-8 text/);
  const twice = strToU8(
    'headgate_bundle: 1\ntasks: [{ name: a, yaml_file: a.yaml }, { name: b, yaml_file: a.yaml }]\n',
  );
  t.match(zip({ 'bundle.yaml': twice, 'a.yaml': text }), /is named twice/);
  const bomb = zipSync(
    { 'bundle.yaml': manifest, 'tasks/a.yaml': new Uint8Array(fewOrAll(10_000_000, 100_000_000)) },
    { level: 9 },
  );
  const before = process.cpuUsage();
  t.match(refusal(bomb), /holds more than 2097152 bytes/);
  const { user, system } = process.cpuUsage(before);
  t.ok(user + system < 1_000_000, 'it stops at the limit');
  const many = Object.fromEntries(Array.from({ length: 3_100 }, (_, index) => [`t${index}.yaml`, text]));
  t.match(zip({ 'bundle.yaml': manifest, ...many }), /more than 3000 entries/);
  const whole = zipSync(
    { 'bundle.yaml': manifest, 'tasks/a.yaml': strToU8('x'.repeat(90_000)) },
    { level: 0 },
  );
  t.match(refusal(whole.subarray(0, 60_000)), /damaged, truncated|is truncated/);
  t.match(refusal(strToU8('headgate_bundle: 1')), /no file "bundle.yaml"/);
  t.match(refusal(new Uint8Array()), /no file "bundle.yaml"/);
});
