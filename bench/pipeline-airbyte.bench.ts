/**
 * 300,000 records of an Airbyte source, read as an extract does; limit: the same program with the same catalogue into `cat`. The source
 * prints as fast as it can: one that makes or fetches its records is the slower part itself, so that its ratio is near 1.
 * `AIRBYTE_SOURCE_FAKER_PATH` measures source-faker, too.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Row } from '../src/drivers/driver.ts';
import { connectAirbyte } from '../src/drivers/plugins/airbyte/connect.ts';
import { measure, secondsOf } from './support/figure.ts';
import { workFolder } from './support/work-folder.ts';

interface Source {
  readonly name: string;
  readonly command: readonly string[];
  readonly stream: string;
  readonly config: Row;
  readonly rows: number;
}

const folder = workFolder();
const { signal } = new AbortController();
const printedRows = 300_000;
const printing: Source = {
  name: 'printing',
  command: [
    process.execPath,
    '--no-warnings',
    resolve('bench/support/record-source.ts'),
    String(printedRows),
  ],
  stream: 'people',
  config: {},
  rows: printedRows,
};
const faker = process.env['AIRBYTE_SOURCE_FAKER_PATH'];
const sources: readonly Source[] =
  faker === undefined
    ? [printing]
    : [
        printing,
        {
          name: 'faker',
          command: [faker],
          stream: 'users',
          config: { count: 20_000, always_updated: false },
          rows: 20_000,
        },
      ];

async function product({ name, command, stream, config, rows }: Source): Promise<number> {
  const plugin = { name, command, folder: null, memoryMb: 2_048 };
  const context = { fileRoots: [], forbiddenFiles: [], connectTimeoutMs: 1_000, plugins: [plugin] };
  const connection = await connectAirbyte({ plugin: name, config }, context);
  // The catalogue is asked for before: the limit has it, too.
  await connection.describe(stream, signal);
  let read = 0;
  const seconds = await secondsOf(async () => {
    for await (const batch of connection.read({ method: 'read', args: { stream }, signal }))
      read += batch.rows.length;
  });
  await connection.close();
  if (read !== rows) throw new Error(`${read} of ${rows} records were read`);
  return rows / seconds;
}

async function limit({ name, command, stream, config, rows }: Source): Promise<number> {
  const file = (kind: string, content: unknown) => {
    const path = join(folder, `${name}-${kind}.json`);
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  const described = { name: stream, json_schema: {}, supported_sync_modes: ['full_refresh'] };
  const catalog = file('catalog', {
    streams: [{ stream: described, sync_mode: 'full_refresh', destination_sync_mode: 'append' }],
  });
  const args = ['read', '--config', file('config', config), '--catalog', catalog];
  const seconds = await secondsOf(async () => {
    const line = '"$@" | cat > /dev/null';
    const child = spawn('bash', ['-o', 'pipefail', '-c', line, 'cat', ...command, ...args], {
      stdio: 'inherit',
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`the source "${name}" ended with exit code ${code}`);
  });
  return rows / seconds;
}

for (const source of sources)
  await measure({
    name: `pipeline-airbyte(${source.name})`,
    unit: 'records/s',
    rounds: 3,
    product: () => product(source),
    limit: () => limit(source),
  });
