import { isRecord } from '../../../base/json.ts';
import {
  BATCH_ROWS_DEFAULT,
  type Batch,
  type Page,
  type PageRequest,
  type ReadRequest,
  type Row,
} from '../../driver.ts';
import type { HttpList } from '../../http/list/http-list.ts';
import { pagesOf } from '../../http/list/list.ts';
import type { ValueGroup } from '../../json/json-records.ts';
import { recordBatches } from '../../json/record-batches.ts';
import type { OdataListArgs } from '../config.ts';
import { columnsOf } from '../metadata/columns.ts';
import type { OdataService } from '../odata-service.ts';
import { type Options, withOptions } from '../query/address.ts';
import { listOptions } from '../query/list-options.ts';
import { cursorTo, pageOptions, startOf, tokenOf } from '../query/list-page.ts';
import type { Subject } from '../query/property.ts';
import { EntityShape } from './entity-shape.ts';

const PAGES_MAX = 10_000_000;

/** The records of a `list`, page by page, as the links to the next pages lead on. */
export async function* listEntities(
  service: OdataService,
  args: OdataListArgs,
  { signal, limit, batchRows = BATCH_ROWS_DEFAULT }: Pick<ReadRequest, 'signal' | 'limit' | 'batchRows'>,
): AsyncGenerator<Batch, void, undefined> {
  const subject = await service.subject(args.entity, signal);
  const options = withTop(listOptions(args, subject, service.filterStyle), limit, service.config.page_size);
  const path = withOptions(args.entity, options, [args.query]);
  const isSingle = subject?.model.sets.get(args.entity)?.kind === 'singleton';
  const groups = isSingle
    ? singleton(service, args, path, signal)
    : pagesOf(service.api.config, service.api.exchange, listOf(service, args, path), {
        signal,
        ahead: limit === undefined,
      });
  const shape = shapeOf(args, subject);
  yield* recordBatches(groups, { name: args.entity, columns: null, signal, limit, batchRows, shape });
}

function listOf(service: OdataService, { entity, annotations }: OdataListArgs, path: string): HttpList {
  const { page_size: size } = service.config;
  return {
    name: entity,
    resource: {
      path,
      method: 'GET',
      headers: service.readHeaders(size, annotations),
      body: undefined,
      format: 'json',
    },
    query: {},
    records: 'value',
    paging: { type: 'next_url', url_path: '@odata.nextLink', size, max_pages: PAGES_MAX },
    incremental: null,
    columns: null,
    primaryKey: [],
    filter: null,
  };
}

/** The one record there is. */
async function* singleton(
  service: OdataService,
  { annotations }: OdataListArgs,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<ValueGroup> {
  const headers = service.readHeaders(null, annotations);
  yield { values: [await service.askJson(path, { headers }, signal)], chars: 0, first: 1 };
}

/** No more records than are wanted, where a page would hold them all. */
function withTop(options: Options, limit: number | undefined, pageSize: number): Options {
  const top = options['$top'];
  if (limit === undefined || limit > pageSize || (typeof top === 'number' && top <= limit)) return options;
  return { ...options, $top: limit };
}

function shapeOf(
  {
    entity,
    columns,
    expand,
    apply,
    annotations,
  }: Pick<OdataListArgs, 'entity' | 'columns' | 'expand' | 'apply' | 'annotations'>,
  subject: Subject | null,
): EntityShape {
  return new EntityShape({
    name: entity,
    declared: subject === null || apply !== undefined ? [] : columnsOf(subject.model, subject.type),
    wanted: columns ?? null,
    expands: expand !== undefined,
    annotations,
  });
}

/** One page for the explorer. */
export async function pageEntities(service: OdataService, request: PageRequest): Promise<Page> {
  const { resource: entity, columns, limit, signal } = request;
  const way = service.pageWay;
  const start = startOf(request, way);
  const subject = await service.subject(entity, signal);
  const options = pageOptions(request, start, way, subject, service.filterStyle);
  const path = withOptions(entity, options);
  const headers = service.readHeaders(way === 'skiptoken' ? limit : null, false);
  const document = await service.askJson(path, { headers }, signal);
  const found = isRecord(document) && Array.isArray(document['value']) ? document['value'] : [document];
  const records = found.filter(isRecord);
  const shape = shapeOf(
    {
      entity,
      columns: columns === undefined ? undefined : [...columns],
      annotations: false,
      expand: undefined,
      apply: undefined,
    },
    subject,
  );
  for (const record of records) shape.admit(record);
  const rows: Row[] = records.slice(0, limit).map((record) => shape.row(record));
  return {
    columns: shape.columns(),
    rows,
    next_cursor: nextOf(service, request, start, document, records.length),
  };
}

function nextOf(
  service: OdataService,
  request: PageRequest,
  start: ReturnType<typeof startOf>,
  document: unknown,
  count: number,
): string | null {
  if (service.pageWay === 'skip') {
    const skip = 'skip' in start ? start.skip : 0;
    const link = isRecord(document) ? document['@odata.nextLink'] : undefined;
    // A server that gives less than it is asked for says so by a link.
    if (count > request.limit) return cursorTo(request, { skip: skip + request.limit });
    return link === undefined || count === 0 ? null : cursorTo(request, { skip: skip + count });
  }
  const link = isRecord(document) ? document['@odata.nextLink'] : undefined;
  const token = tokenOf(link, service.config.base_url);
  return token === null ? null : cursorTo(request, { token });
}
