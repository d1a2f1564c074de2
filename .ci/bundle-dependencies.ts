import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { bundling } from './bundle.ts';

/** What the program imports of packages that are many files each, but for what reads files beside its own code. */
const SPECIFIERS = [
  '@aws-sdk/client-s3',
  '@fastify/compress',
  '@fastify/cookie',
  '@fastify/rate-limit',
  '@fastify/send',
  '@fastify/swagger',
  '@grpc/grpc-js',
  '@grpc/proto-loader',
  '@smithy/node-http-handler',
  'commander',
  'diff',
  'fastify',
  'fastify-type-provider-zod',
  'kysely',
  'mongodb',
  'mysql2',
  'pg',
  'pg-copy-streams',
  'pg-cursor',
  'prom-client',
  'protobufjs',
  'protobufjs/light.js',
  'undici',
  'yaml',
  'zod',
];
/** Of the name of a module that stands for a package. */
const PREFIX = 'entry:';
const root = join(import.meta.dirname, '..');
const modules = join(root, 'node_modules');
/** `base/process/quick-imports.ts` reads it. */
const folder = join(modules, '.cache/headgate');

/**
 * Makes one file of each of these packages, and of what they share, for the processes of a checkout: to find and link a file takes longer
 * than to run it, and of 1,650 modules of a control plane 770 are theirs. They are used until something else is installed.
 */
export async function bundleDependencies(): Promise<void> {
  const made = `${folder}-${process.pid}`;
  const build = await rolldown({
    ...bundling,
    cwd: root,
    input: Object.fromEntries(SPECIFIERS.map((specifier) => [fileOf(specifier), `${PREFIX}${specifier}`])),
    plugins: [await entriesOf(SPECIFIERS), englishZod, ...bundling.plugins],
  });
  await build.write({
    dir: made,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: 'chunks/[name]-[hash].mjs',
    comments: false,
  });
  await build.close();
  const files = Object.fromEntries(SPECIFIERS.map((specifier) => [specifier, `${fileOf(specifier)}.mjs`]));
  // npm writes it with each installation.
  const installedMs = statSync(join(modules, '.package-lock.json')).mtimeMs;
  writeFileSync(join(made, 'index.json'), JSON.stringify({ installedMs, files }));
  rmSync(folder, { recursive: true, force: true });
  renameSync(made, folder);
}

function fileOf(specifier: string): string {
  return specifier.replace(/[^\w-]/g, '_');
}

/** An entry names what its package exports: a bundler knows this of a CommonJS module only as far as some other one imports it. */
async function entriesOf(specifiers: readonly string[]): Promise<Plugin> {
  const texts = new Map<string, string>();
  for (const specifier of specifiers) {
    const names = Object.keys((await import(specifier)) as object).filter((name) => /^[\w$]+$/.test(name));
    texts.set(`${PREFIX}${specifier}`, `export { ${names.join(', ')} } from '${specifier}';`);
  }
  return {
    name: 'entries',
    resolveId(id, importer) {
      if (texts.has(id)) return id;
      return importer?.startsWith(PREFIX) === true ? this.resolve(id, join(root, 'package.json')) : null;
    },
    load: (id) => texts.get(id) ?? null,
  };
}

/** Zod brings its messages in sixty languages, each a module; its own entry takes the English ones. */
const englishZod: Plugin = {
  name: 'english-zod',
  resolveId(id, importer) {
    const isOfZod = id === '../locales/index.js' && importer?.includes('/node_modules/zod/') === true;
    return isOfZod ? this.resolve('../locales/en.js', importer) : null;
  },
};
