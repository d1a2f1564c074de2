/** Three million flights from Parquet into SQLite with three derived columns; limit: hyparquet's rows and a bare insert. */
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { BareInsert } from './support/bare-insert.ts';
import { measure, secondsOf } from './support/figure.ts';
import { runPipeline } from './support/run-pipeline.ts';
import { workFolder } from './support/work-folder.ts';

const rows = 3_000_000;
const flights = join(import.meta.dirname, '../node_modules/vega-datasets/data/flights-3m.parquet');
let runs = 0;
const folder = workFolder();
const target = join(folder, 'flights.db');

const yaml = `
version: 1
name: flights
connectors: { source: {type: parquet}, target: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - id: shape
    kind: transform
    input: read
    ops:
      - set:
          late: "item.delay > 15"
          km: "item.distance * 1.609"
          route: "item.origin & '-' & item.destination"
  - { id: write, kind: load, input: shape, connector: target, object: flights, mode: append }
`;

async function product(): Promise<number> {
  const seconds = await secondsOf(() =>
    runPipeline({
      yaml,
      rows,
      runId: ++runs,
      fileRoots: [dirname(flights), folder],
      connectors: {
        source: { name: 'source', type: 'parquet', config: { path: flights } },
        target: { name: 'target', type: 'sqlite', config: { path: target } },
      },
    }),
  );
  rmSync(target, { force: true });
  return rows / seconds;
}

interface Flight {
  readonly date: Date;
  readonly delay: bigint;
  readonly distance: bigint;
  readonly origin: string;
  readonly destination: string;
}

async function limit(): Promise<number> {
  const seconds = await secondsOf(async () => {
    const insert = new BareInsert(target, 'flights', [
      'date',
      'delay',
      'distance',
      'origin',
      'destination',
      'late',
      'km',
      'route',
    ]);
    const file = await asyncBufferFromFile(flights);
    const metadata = await parquetMetadataAsync(file);
    let rowEnd = 0;
    for (const group of metadata.row_groups) {
      const rowStart = rowEnd;
      rowEnd += Number(group.num_rows);
      const read = (await parquetReadObjects({
        file,
        metadata,
        compressors,
        rowStart,
        rowEnd,
      })) as unknown as Flight[];
      for (const { date, delay, distance, origin, destination } of read) {
        const late = Number(delay > 15n);
        insert.add(
          date.toISOString(),
          delay,
          distance,
          origin,
          destination,
          late,
          Number(distance) * 1.609,
          `${origin}-${destination}`,
        );
      }
    }
    insert.commit();
  });
  rmSync(target, { force: true });
  return rows / seconds;
}

await measure({ name: 'pipeline-parquet-sqlite', unit: 'rows/s', product, limit });
