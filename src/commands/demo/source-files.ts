import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { parquetMetadata } from 'hyparquet';
import { DemoError } from './demo-error.ts';

/** The files that the demo moves, and how many records they say they hold: what the tables are compared with. */
export interface SourceFiles {
  readonly folder: string;
  readonly airportsPath: string;
  readonly flightsPath: string;
  readonly airports: number;
  readonly flights: number;
}

/** Flights of the United States in 2001, and airports; from the package `vega-datasets`. Throws `DemoError`. */
export async function findSourceFiles(): Promise<SourceFiles> {
  const folder = sourceFolder();
  const airportsPath = join(folder, 'airports.csv');
  const flightsPath = join(folder, 'flights-3m.parquet');
  const csv = await readFile(airportsPath, 'utf8');
  const parquet = await readFile(flightsPath);
  const bytes = parquet.buffer.slice(
    parquet.byteOffset,
    parquet.byteOffset + parquet.byteLength,
  ) as ArrayBuffer;
  return {
    folder,
    airportsPath,
    flightsPath,
    airports: csv.trimEnd().split('\n').length - 1,
    flights: Number(parquetMetadata(bytes).num_rows),
  };
}

function sourceFolder(): string {
  const manifest = findPackage();
  const folder = manifest === null ? null : join(dirname(manifest), 'data');
  if (folder !== null && existsSync(join(folder, 'flights-3m.parquet'))) return folder;
  throw new DemoError(
    'The demo’s data is not installed. In a checkout run "npm ci"; elsewhere run "npm install vega-datasets@3" in this folder',
  );
}

/** The package has no entry that gives its folder: the nearest `node_modules` upwards has it, of the user's folder or of the program. */
function findPackage(): string | null {
  return findPackageFrom(process.cwd()) ?? findPackageFrom(dirname(fileURLToPath(import.meta.url)));
}

function findPackageFrom(start: string): string | null {
  let folder = start;
  for (;;) {
    const manifest = join(folder, 'node_modules/vega-datasets/package.json');
    if (existsSync(manifest)) return manifest;
    if (dirname(folder) === folder) return null;
    folder = dirname(folder);
  }
}

/** One comparison of what was loaded with what should be. */
export interface CountCheck {
  readonly what: string;
  readonly found: number;
  readonly expected: number;
}

/** Asks the warehouse file itself, past the server, whether every record of the sources is there. */
export function checkCounts(warehousePath: string, sources: SourceFiles): readonly CountCheck[] {
  const db = new DatabaseSync(warehousePath, { readOnly: true });
  try {
    const count = (sql: string) => Number(db.prepare(sql).get()?.['n'] ?? 0);
    return [
      { what: 'airports', found: count('SELECT count(*) AS n FROM airports'), expected: sources.airports },
      { what: 'flights', found: count('SELECT count(*) AS n FROM flights'), expected: sources.flights },
      {
        what: 'flights in daily_summary',
        found: count('SELECT sum(flights) AS n FROM daily_summary'),
        expected: sources.flights,
      },
    ];
  } finally {
    db.close();
  }
}
