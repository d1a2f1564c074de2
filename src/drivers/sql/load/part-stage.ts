import { sha256 } from '../../../base/ids.ts';
import { type Batch, ConnectorError, type Writer } from '../../driver.ts';
import type { PartsRequest } from '../../load-request.ts';
import { requireKeys } from '../row-batch.ts';

const HASH_CHARS = 12;

/** How the names of all stages of a target begin; `prefix` is the driver's own, `target` the same text for the same table. */
export function stagePrefixOf(prefix: string, target: string): string {
  return `${prefix}${sha256(target).slice(0, HASH_CHARS)}_`;
}

/** The name of the stage of one load. */
export function stageNameOf(prefix: string, target: string, { partsId }: PartsRequest): string {
  return stagePrefixOf(prefix, target) + sha256(partsId).slice(0, HASH_CHARS);
}

/** Under which the publication is marked. Appended rows are there for good; what replaces or merges may be read anew by another run. */
export function publishedId({ mode, loadId, partsId }: PartsRequest): string {
  return mode === 'append' ? loadId : partsId;
}

/** Marks and rows change together, so that another number means another attempt: a `TARGET` fault. */
export function requireStagedRows({ object }: PartsRequest, staged: number, rows: number): void {
  if (staged === rows) return;
  const message = `The stage of "${object}" holds ${staged} rows, not the ${rows} of this attempt: another attempt is writing to it`;
  throw new ConnectorError('TARGET', message);
}

/** The run that divides has not begun, or has ended: nobody who comes late leaves a stage behind. */
export function notWanted({ object }: PartsRequest): ConnectorError {
  return new ConnectorError('TARGET', `The parts of "${object}" are no longer needed`);
}

/** The writer of a part as an append to the stage, which `prepare` makes with the first rows. */
export function stagingWriter(
  writer: Writer,
  { key }: PartsRequest,
  prepare: (columns: Batch['columns']) => Promise<void>,
): Writer {
  return {
    alreadyDone: writer.alreadyDone,
    write: async (batch: Batch) => {
      if (batch.rows.length > 0) {
        requireKeys(batch, key);
        await prepare(batch.columns);
      }
      return writer.write(batch);
    },
    commit: () => writer.commit(),
    abort: () => writer.abort(),
  };
}
