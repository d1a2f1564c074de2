/**
 * `npm run check`: formatting and lint (Biome), types (tsc, for the server and for the pages), the import table
 * (dependency-cruiser), the size of rooms and what nobody uses (knip), all at once. Prints what is wrong, and one line per tool.
 */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

interface Tool {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** What the output says is wrong although the tool ended well; null when nothing is. */
  readonly distrust?: (output: string) => string | null;
}

const cruisedFilesMin = 100;

const tools: readonly Tool[] = [
  { name: 'types', command: typesOf('tsconfig.json', 'server') },
  { name: 'types of the pages', command: typesOf('src/ui/tsconfig.json', 'pages') },
  {
    name: 'import table',
    command: ['depcruise', '--cache', '.cache/depcruise', '--cache-strategy', 'content', 'src', 'workers'],
    distrust: cruisedTooFew,
  },
  { name: 'lint and format', command: [process.execPath, '.ci/lint.ts'] },
  { name: 'rooms', command: [process.execPath, '.ci/check-rooms.ts'] },
  { name: 'lock', command: [process.execPath, '.ci/check-lock.ts'] },
  {
    name: 'unused',
    command: ['knip', '--no-progress', '--no-config-hints', '--cache', '--cache-location', '.cache/knip'],
  },
];

/**
 * TypeScript 7, as tools that call the compiler need 6 beside it. Keeps what it found, so that the next check reads only what
 * changed. One checker: several at once each look at what they share.
 */
function typesOf(project: string, name: string): Tool['command'] {
  const compiler = resolve(import.meta.dirname, '..', 'node_modules', 'typescript-7', 'bin', 'tsc');
  const kept = ['--incremental', '--tsBuildInfoFile', `.cache/${name}.tsbuildinfo`];
  return [process.execPath, compiler, '--checkers', '1', '-p', project, ...kept];
}

/** dependency-cruiser passes when it finds no module at all, as with a compiler that it does not know. */
function cruisedTooFew(output: string): string | null {
  const found = Number(/(\d+) modules/.exec(output)?.[1] ?? 0);
  return found >= cruisedFilesMin ? null : `only ${found} modules were looked at`;
}

async function check({ name, command, distrust }: Tool): Promise<boolean> {
  const startedAt = performance.now();
  const [program, ...args] = command;
  const bin = resolve(import.meta.dirname, '..', 'node_modules', '.bin', program);
  const child = spawn(bin, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject).on('close', (status) => resolve(status ?? 1));
  });
  const doubt = code === 0 ? (distrust?.(output) ?? null) : null;
  const passed = code === 0 && doubt === null;
  if (!passed) process.stdout.write(`${output.trim()}\n`);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)${doubt === null ? '' : `: ${doubt}`}`);
  return passed;
}

const results = await Promise.all(tools.map(check));
process.exitCode = results.every(Boolean) ? 0 : 1;
