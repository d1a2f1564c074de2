import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programFile } from '../../base/program-files.ts';
import { DemoError } from './demo-error.ts';

const MARK = '.headgate-demo.json';

/** What a demo made, for one that reuses its data (`--keep`). */
export interface DemoRecord {
  readonly email: string;
  readonly password: string;
  readonly totpSecret: string;
  readonly apiKey: string;
  readonly jobId: number;
  readonly sharePath: string;
}

/** Where everything of a demo lies. */
export interface DemoFolder {
  readonly path: string;
  readonly statePath: string;
  readonly metricsPath: string;
  readonly serverLogPath: string;
  /** The only folder that the server may write tables to. */
  readonly tablesPath: string;
  readonly warehousePath: string;
  /** Those of a demo that was set up to its end; null where there is none. */
  readonly kept: DemoRecord | null;
  /** Called when the data is complete: from then on `--keep` can reuse it. */
  save(record: DemoRecord): void;
}

/** The YAML of the demo, as the package brings it. */
export const examplesPath = programFile('examples/flights');

/** Makes `data/demo` under `cwd`, empty unless `keep`. Throws `DemoError` where the folder holds somebody else's files. */
export function openDemoFolder(cwd: string, keep: boolean): DemoFolder {
  const path = join(cwd, 'data/demo');
  const mark = join(path, MARK);
  const isOurs = existsSync(mark);
  if (existsSync(path) && !isOurs && readdirSync(path).length > 0) {
    throw new DemoError(
      'The folder "data/demo" contains files not created by the demo; move them, or run the demo elsewhere',
    );
  }
  const kept = keep && isOurs ? readRecord(mark) : null;
  if (kept === null) rmSync(path, { recursive: true, force: true });
  const tablesPath = join(path, 'tables');
  mkdirSync(tablesPath, { recursive: true, mode: 0o700 });
  if (kept === null) writeFileSync(mark, '{}\n', { mode: 0o600 });
  return {
    path,
    statePath: join(path, 'state.db'),
    metricsPath: join(path, 'metrics.db'),
    serverLogPath: join(path, 'server.log'),
    tablesPath,
    warehousePath: join(tablesPath, 'warehouse.db'),
    kept,
    save: (record) => writeFileSync(mark, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 }),
  };
}

/** Null for the mark of a demo that ended before it was set up: its data is of no use. */
function readRecord(mark: string): DemoRecord | null {
  try {
    const record = JSON.parse(readFileSync(mark, 'utf8')) as Partial<DemoRecord>;
    return record.sharePath === undefined ? null : (record as DemoRecord);
  } catch {
    return null;
  }
}
