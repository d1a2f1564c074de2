/** The code of the published package: for each process and thread its own entry, and what several of them need in chunks between. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type InputOptions,
  type OutputAsset,
  type OutputChunk,
  type Plugin,
  type RolldownOutput,
  rolldown,
} from 'rolldown';

/** Paths in a checkout, and the same in the package (`base/program-files.ts`). */
const entries = [
  'src/main',
  'src/commands/serve/executor-child',
  'src/commands/run/local-runner',
  'src/engine/script/script-child',
  'src/executor/runner/runner-entry',
  'src/executor/runner/runner-watchdog',
  'src/language/task/steps/ops/row-schema-compiler',
  'src/metering/localdb/localdb-thread',
  'src/modules/run-logs/sqlite/run-log-thread',
  'src/store/sqlite/large-journal-thread',
  'src/threads/host',
  'workers/connector',
  'workers/file-query',
  'workers/language',
  'workers/preview',
  'workers/widget',
];

/** Installed beside the package, because they are more than JavaScript: native code, WebAssembly, threads of their own. */
export const external = ['@duckdb/node-api', '@node-rs/argon2', 'libpg-query', 'piscina'];

/**
 * Writes the bundles to `target`, and beside them the licences of what is in them. Names are kept, so that a stack says where.
 * Returns the packages that are not in them, with their versions.
 */
export async function bundle(root: string, target: string): Promise<InstalledBeside> {
  const build = await rolldown({
    ...bundling,
    cwd: root,
    input: Object.fromEntries(entries.map((path) => [path, sourceOf(join(root, path))])),
  });
  const output = await build.write({
    dir: target,
    format: 'esm',
    entryFileNames: '[name].js',
    // Two folders below the package, as `@grpc/reflection` has it when it looks for its proto files.
    chunkFileNames: 'src/chunks/[name]-[hash].js',
    comments: false,
  });
  await build.close();
  writeFileSync(join(target, 'THIRD-PARTY-LICENSES.txt'), licencesOf(output));
  return installed(root, output);
}

/**
 * The parser of the command line can start programs as commands, and no command here is one: without what Node needs for it, `--help`
 * answers 2 ms sooner.
 */
const lateChildProcess: Plugin = {
  name: 'late-child-process',
  resolveId: (id, importer) =>
    id === 'node:child_process' && importer?.includes('/node_modules/commander/') === true ? LATE : null,
  load: (id) =>
    id === LATE
      ? "exports.spawn = (...args) => process.getBuiltinModule('node:child_process').spawn(...args);"
      : null,
};
const LATE = '\0late-child-process.cjs';

/** One character beyond Latin-1 makes V8 hold two bytes for each of a file: 4 MB of a control plane. None stands outside of literals. */
const asciiOutput: Plugin = {
  name: 'ascii-output',
  generateBundle: (_, output) => chunksOf(Object.values(output)).forEach(toAscii),
};

/** How code for Node becomes bundles. */
export const bundling = {
  platform: 'node',
  external,
  plugins: [lateChildProcess, asciiOutput],
  transform: { define: { __dirname: 'import.meta.dirname' } },
} satisfies InputOptions;

function toAscii(chunk: OutputChunk): void {
  chunk.code = chunk.code.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function sourceOf(path: string): string {
  return existsSync(`${path}.js`) ? `${path}.js` : `${path}.ts`;
}

function chunksOf(output: readonly (OutputChunk | OutputAsset)[]): OutputChunk[] {
  return output.filter((part) => part.type === 'chunk');
}

/** As in a manifest. */
export interface InstalledBeside {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

function installed(root: string, output: RolldownOutput): InstalledBeside {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as InstalledBeside;
  const imported = new Set(
    chunksOf(output.output).flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]),
  );
  const { dependencies, optionalDependencies } = manifest;
  for (const name of external) {
    if (!imported.has(name) || !(name in { ...dependencies, ...optionalDependencies }))
      throw new Error(`Nothing needs "${name}" beside the package`);
  }
  const isExternal = ([name]: readonly [string, string]) => external.includes(name);
  return {
    dependencies: Object.fromEntries(Object.entries(dependencies).filter(isExternal)),
    optionalDependencies: Object.fromEntries(Object.entries(optionalDependencies).filter(isExternal)),
  };
}

/** Each package that has code in the bundles, with the licence that it comes with. */
function licencesOf(output: RolldownOutput): string {
  const folders = chunksOf(output.output)
    .flatMap((chunk) => chunk.moduleIds)
    .map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0])
    .filter((folder) => folder !== undefined);
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    ) as Record<string, string>;
    const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
    const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
    return `${name} ${version}: ${license}\n${text}`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}
