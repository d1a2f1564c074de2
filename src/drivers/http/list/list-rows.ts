import {
  BATCH_ROWS_DEFAULT,
  type Batch,
  type Column,
  type Connection,
  type ReadRequest,
} from '../../driver.ts';
import { pageRows } from '../../files/page-rows.ts';
import { recordBatches, sampledRecordsMax } from '../../json/record-batches.ts';
import type { HttpConfig } from '../config.ts';
import type { HttpExchange } from '../exchange.ts';
import type { HttpList } from './http-list.ts';
import { pagesOf } from './list.ts';
import { matchingRows } from './matching-rows.ts';

/** What lists are asked from. */
export interface HttpSource {
  readonly config: HttpConfig;
  readonly exchange: HttpExchange;
}

type RowsRequest = Pick<ReadRequest, 'signal' | 'limit' | 'batchRows' | 'onMalformed'>;

/** The rows of a list. With a limit the next page is not asked for before it is wanted. */
export function listRows(
  source: HttpSource,
  list: HttpList,
  { signal, limit, batchRows = BATCH_ROWS_DEFAULT, onMalformed }: RowsRequest,
): AsyncIterable<Batch> {
  const pages = { signal, ahead: limit === undefined, isLenient: onMalformed !== undefined };
  const groups = pagesOf(source.config, source.exchange, list, pages);
  const { filter, columns, name, primaryKey } = list;
  const finds = list.resource.infer ?? { timestamps: true };
  if (filter === null)
    return withKey(
      recordBatches(groups, { name, columns, finds, signal, limit, batchRows, onMalformed }),
      primaryKey,
    );
  const all = recordBatches(groups, { name, columns: null, finds, signal, batchRows, onMalformed });
  return withKey(matchingRows(all, { filter, columns, limit }), primaryKey);
}

/** The columns that the first records of a list have. */
export async function listColumns(
  source: HttpSource,
  list: HttpList,
  signal: AbortSignal,
): Promise<readonly Column[]> {
  for await (const { columns } of listRows(source, list, {
    signal,
    batchRows: sampledRecordsMax,
    limit: sampledRecordsMax,
  }))
    return columns;
  return [];
}

/** One page of a list for the explorer. */
export async function listPage(
  source: HttpSource,
  list: HttpList,
  request: Parameters<Connection['page']>[0],
): ReturnType<Connection['page']> {
  const columns = await listColumns(source, list, request.signal);
  const rows = (skip: number, _names: readonly string[], signal: AbortSignal) =>
    recordBatches(pagesOf(source.config, source.exchange, list, { signal, ahead: false }), {
      name: list.name,
      columns: list.columns,
      signal,
      skip,
    });
  return pageRows({ version: JSON.stringify(list), columns, rows }, request);
}

/** The batches, whose columns say which of them identify a record. */
async function* withKey(
  batches: AsyncIterable<Batch>,
  names: readonly string[],
): AsyncGenerator<Batch, void, undefined> {
  if (names.length === 0) return yield* batches;
  for await (const batch of batches) {
    const columns = batch.columns.map((column) =>
      names.includes(column.name) ? { ...column, key: true } : column,
    );
    yield { ...batch, columns };
  }
}
