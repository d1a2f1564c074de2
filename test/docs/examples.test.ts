import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createProgram } from '../../src/commands/program.ts';
import { SETTINGS, TESTING_SETTINGS } from '../../src/settings.ts';
import { type CodeBlock, codeBlocks, markdownFiles, readMarkdown, root } from './markdown-files.ts';
import { allCommands } from './reference/cli-page.ts';
import { problemsOf, YAML_KINDS } from './yaml-blocks.ts';

/** What people read to use Headgate. Changes of the past may name what is no longer there. */
const files = markdownFiles.filter((file) => !file.startsWith('test/') && file !== 'bench/RESULTS.md');
const blocks = files.flatMap(codeBlocks);
const at = ({ file, line }: CodeBlock) => `${file}:${line}`;

t.test('every block of code says what it is', async (t) => {
  t.ok(blocks.length > 30, `${blocks.length} blocks`);
  const known = [
    ...YAML_KINDS.map((kind) => `yaml ${kind}`),
    'sh',
    'sql',
    'json',
    'js',
    'ts',
    'text',
    'http',
    'python',
  ];
  const unknown = blocks
    .filter(({ info }) => !known.includes(info))
    .map((block) => `${at(block)}: ${block.info}`);
  t.same(unknown, []);
});

t.test('every YAML is accepted by the program’s own validator', async (t) => {
  const yaml = blocks.filter(({ info }) => info.startsWith('yaml '));
  t.ok(yaml.length > 20, `${yaml.length} YAML blocks`);
  for (const block of yaml) t.same(problemsOf(block.info.slice('yaml '.length), block.text), [], at(block));
});

t.test('every JSON parses, and every shell block is shell', async (t) => {
  for (const block of blocks.filter(({ info }) => info === 'json'))
    t.doesNotThrow(() => JSON.parse(block.text), at(block));
  for (const block of blocks.filter(({ info }) => info === 'sh'))
    t.equal(spawnSync('bash', ['-n', '-c', block.text], { encoding: 'utf8' }).stderr, '', at(block));
});

t.test('every operation, setting and command that a text names is there', async (t) => {
  const { paths } = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as {
    paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  const shapes = new Set(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${shapeOf(path)}`),
    ),
  );
  const settings = [
    ...Object.keys({ ...SETTINGS, ...TESTING_SETTINGS }),
    'SVC_CONFIG_FILE',
    'SVC_SERVER',
    'SVC_TOKEN',
  ];
  const wrong = files
    .filter((file) => file !== 'CHANGELOG.md')
    .flatMap((file) => {
      const text = readMarkdown(file);
      const operations = [...text.matchAll(/\b(GET|POST|PUT|DELETE) (\/api\/[^\s`"'?,)]*)/g)]
        .map(([, method = '', path = '']) => `${method} ${shapeOf(path.replace(/[.:;]+$/, ''))}`)
        .filter((operation) => !shapes.has(operation) && !operation.includes('…'));
      const variables = [...text.matchAll(/\bSVC_[A-Z_]+[A-Z]\b/g)]
        .map(([name]) => name)
        .filter((name) => !settings.includes(name));
      return [...operations, ...variables].map((name) => `${file}: ${name}`);
    });
  t.same(wrong, []);
});

/** A path with its parameters as one: `/api/tasks/{id}`, `/api/tasks/7` and `/api/tasks/$ID` are the same operation. */
function shapeOf(path: string): string {
  return path
    .split('/')
    .map((part) => (/^(\{.*\}|\d+|\$.*)$/.test(part) ? '{}' : part))
    .join('/');
}

t.test('every option of a command that a shell block gives is there', async (t) => {
  const commands = allCommands(createProgram());
  const wrong = blocks
    .filter(({ info }) => info === 'sh')
    .flatMap((block) =>
      [
        ...block.text
          .replaceAll('\\\n', ' ')
          .matchAll(/(?:^|\s|\()(?:headgate|node src\/main\.ts) ([^\n|;#)]*)/g),
      ].flatMap(([, line = '']) => {
        const words = line.split(/\s+/);
        const found = commands.filter(({ path }) => `${line} `.startsWith(`${path} `)).at(-1);
        if (found === undefined) return words[0]?.startsWith('-') ? [] : [`${at(block)}: ${line}`];
        const options = found.command.options.flatMap(({ short, long }) => [short, long]);
        return words
          .filter((word) => word.startsWith('-') && word !== '-' && !options.includes(word.split('=', 1)[0]))
          .filter((word) => !['--help', '-h'].includes(word))
          .map((word) => `${at(block)}: ${found.path} ${word}`);
      }),
    );
  t.same(wrong, []);
});
