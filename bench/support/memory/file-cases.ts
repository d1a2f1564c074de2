import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePeopleCsv } from '../people-csv.ts';
import { connectorsOf, type MemoryCase, taskOf } from './memory-case.ts';

/** From a CSV file in `folder` into a file. */
export function fileCases(folder: string): MemoryCase[] {
  return [
    fileCase(folder, 'sqlite', 'object: people, mode: append'),
    fileCase(folder, 'parquet', 'object: people.parquet, mode: replace'),
  ];
}

function fileCase(folder: string, type: string, load: string): MemoryCase {
  const [source, target] = [join(folder, 'people.csv'), join(folder, `people.${type}`)];
  return {
    name: `csv-${type}`,
    prepare: async (rows) => {
      writePeopleCsv(source, rows);
      return {
        yaml: taskOf('csv', 'method: read', type, load),
        fileRoots: [folder],
        connectors: connectorsOf(
          { type: 'csv', config: { path: source } },
          { type, config: { path: target } },
        ),
      };
    },
    cleanUp: async () => {
      for (const path of [source, target]) rmSync(path, { force: true });
    },
  };
}
