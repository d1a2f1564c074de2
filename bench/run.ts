/**
 * `npm run bench [-- NAME ...]`: runs `bench/*.bench.ts` but for those that run for long, or those whose names begin with NAME, one
 * after another, prints the lines that they print (`name value unit limit ratio rss`) and puts them into `bench/RESULTS.md` beside
 * those of the others.
 */
import { execFileSync, spawn } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');
const resultsFile = join(import.meta.dirname, 'RESULTS.md');
const benchMsMax = 180_000;
/** Run by name alone, and as long as they say themselves. */
const longOnes: readonly string[] = ['soak', 'pipeline-memory'];

const nameOf = (file: string): string => basename(file, '.bench.ts');

interface Result {
  readonly name: string;
  /** The rest of the row's cells. */
  readonly cells: readonly string[];
}

async function linesOf(file: string): Promise<string[]> {
  const child = spawn(process.execPath, [file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(longOnes.includes(nameOf(file)) ? {} : { timeout: benchMsMax }),
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    process.stdout.write(text);
  });
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject).on('close', resolve);
  });
  if (code !== 0) throw new Error(`"${basename(file)}" ended with ${code}`);
  return said.split('\n').filter(Boolean);
}

/** One row per figure: a figure that was measured again replaces its row. */
function known(): Result[] {
  let text = '';
  try {
    text = readFileSync(resultsFile, 'utf8');
  } catch {
    return [];
  }
  return text
    .split('\n')
    .filter((line) => /^\| [a-z].*\| \d{4}-/.test(line))
    .map((line) => {
      const [name = '', ...cells] = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      return { name, cells };
    });
}

function commitName(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

function write(results: readonly Result[]): void {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}`;
  const rows = [...results].sort((a, b) => (a.name < b.name ? -1 : 1));
  writeFileSync(
    resultsFile,
    `# Results

Written by \`npm run bench\`. Headgate ${version}, Node ${process.versions.node}, SQLite ${process.versions['sqlite'] ?? ''}; ${machine}.
The limit is the same work by the parts alone, on the same input, measured in turns with it; the ratio is what counts.
Load is the number of processes that waited for a core when the figure was taken: above the number of cores, other work ran too.

| figure | value | unit | limit | ratio | memory | taken | commit | load |
|---|---|---|---|---|---|---|---|---|
${rows.map(({ name, cells }) => `| ${name} | ${cells.join(' | ')} |`).join('\n')}
`,
  );
}

async function main(): Promise<void> {
  const { values, positionals: names } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean' } },
  });
  const all = globSync(join(import.meta.dirname, '*.bench.ts')).sort();
  const files = all.filter((file) =>
    names.length === 0
      ? !longOnes.includes(nameOf(file))
      : names.some((name) => basename(file).startsWith(name)),
  );
  const usage = `Usage: npm run bench [-- NAME ...]; names: ${all.map(nameOf).join(', ')}; by name alone: ${longOnes.join(', ')}`;
  if (values.help === true) {
    console.log(usage);
    return;
  }
  if (files.length === 0) throw new Error(usage);
  const results = new Map(known().map((result) => [result.name, result]));
  const taken = new Date().toISOString().slice(0, 10);
  for (const file of files) {
    const load = loadavg()[0]?.toFixed(1) ?? '';
    try {
      for (const line of await linesOf(file)) {
        const [name = '', ...cells] = line.split(' ');
        results.set(name, { name, cells: [...cells, taken, commitName(), load] });
      }
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = 1;
    }
  }
  write([...results.values()]);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
