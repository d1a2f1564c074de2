/**
 * 1 M rows of ten columns from one PostgreSQL database into an empty table of another that has the same columns; limit: `psql` with COPY TO
 * STDOUT (FORMAT binary), piped into COPY FROM STDIN.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { measure, secondsOf } from './support/figure.ts';
import { fillPeople, PEOPLE_COLUMNS, postgresPair } from './support/postgres-pair.ts';
import { hasTool } from './support/run-tool.ts';

const rows = 1_000_000;
const tool = 'psql';
const yaml = `
version: 1
name: people
connectors: { source: {type: postgres}, target: {type: postgres} }
steps:
  - { id: read, kind: extract, connector: source, method: list, args: { table: people } }
  - { id: write, kind: load, input: read, connector: target, object: people, mode: append }
`;

const { from, to, source, target, run, close } = await postgresPair();
await fillPeople(source, rows);

async function timed(work: () => Promise<unknown>): Promise<number> {
  await target.query('DROP TABLE IF EXISTS people');
  await target.query(`CREATE TABLE people (${PEOPLE_COLUMNS})`);
  const seconds = await secondsOf(work);
  const { rows: found } = await target.query('SELECT count(*) AS n FROM people');
  if (Number(found[0]?.n) !== rows) throw new Error(`${found[0]?.n} rows have arrived`);
  return rows / seconds;
}

const product = () => timed(() => run(yaml, rows));

const limit = () =>
  timed(async () => {
    const reading = spawn(tool, [from, '-qc', 'COPY people TO STDOUT (FORMAT binary)']);
    const writing = spawn(tool, [to, '-qc', 'COPY people FROM STDIN (FORMAT binary)'], {
      stdio: [reading.stdout, 'ignore', 'inherit'],
    });
    const [code] = await once(writing, 'close');
    if (code !== 0) throw new Error(`psql ended with ${code}`);
  });

try {
  await measure({
    name: 'pipeline-postgres-postgres(binary-pipe)',
    unit: 'rows/s',
    product,
    limit: hasTool(tool) ? limit : null,
  });
} finally {
  await close();
}
