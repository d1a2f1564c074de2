import { isRecord } from '../../../base/json.ts';
import { ConnectorError, type Row } from '../../driver.ts';
import type { PluginStream } from '../plugin-stream.ts';
import { schemaColumns } from '../schema-columns.ts';
import type { SingerReadArgs } from './config.ts';

/** A stream of the tap's catalogue; its resource is its `tap_stream_id`. */
export interface SingerStream extends PluginStream {
  /** What its messages may call it. */
  readonly names: readonly string[];
  readonly keys: readonly string[];
}

/** What a tap says of a stream (the empty breadcrumb) or of one of its columns. */
interface Metadata {
  readonly breadcrumb: readonly unknown[];
  readonly metadata: Row;
}

export function streamsOf(catalogue: Row): SingerStream[] {
  const streams = catalogue['streams'];
  if (!Array.isArray(streams)) return [];
  return streams.filter(isRecord).map(singerStream);
}

export function singerStream(described: Row): SingerStream {
  const name = String(described['stream']);
  const resource = typeof described['tap_stream_id'] === 'string' ? described['tap_stream_id'] : name;
  const about = aboutStream(described);
  const keys = [about['table-key-properties'], about['view-key-properties'], described['key_properties']];
  const names = texts(keys.find((one) => texts(one).length > 0));
  const columns = schemaColumns(described['schema'], names).filter(
    (column) => aboutColumn(described, column.name)['inclusion'] !== 'unsupported',
  );
  return { resource, names: [...new Set([resource, name])], keys: names, columns, described };
}

/** How one stream is read. */
export interface Selection {
  readonly stream: SingerStream;
  /** Columns that the tap gives; `columns` of the arguments with the replication key. */
  readonly columns: ReadonlySet<string>;
  readonly method: string;
  readonly key: string | null;
}

/** Throws `CONFIG` where the tap cannot read the stream so. */
export function selectionOf(stream: SingerStream, args: SingerReadArgs, isIncremental: boolean): Selection {
  const about = aboutStream(stream.described);
  const forced = textOf(about['forced-replication-method']);
  const method = args.replication_method ?? forced ?? (isIncremental ? 'INCREMENTAL' : 'FULL_TABLE');
  const key = args.replication_key ?? ownKey(stream.described, about);
  if (isIncremental && method === 'FULL_TABLE')
    throw new ConnectorError(
      'CONFIG',
      `The tap can only read the stream "${args.stream}" as a whole: omit "cursor"`,
    );
  const isTold = args.replication_method !== undefined || forced !== null;
  if (isIncremental && key === null && !isTold)
    throw new ConnectorError(
      'CONFIG',
      `The tap needs a replication key for the stream "${args.stream}": set "replication_key"`,
    );
  const names = stream.columns.map(({ name }) => name);
  const given = args.replication_key;
  if (given !== undefined && names.length > 0 && !names.includes(given))
    throw new ConnectorError('CONFIG', `The stream "${args.stream}" has no column "${given}"`);
  const wanted = args.columns ?? names.filter((name) => isDefault(stream.described, name));
  const columns = new Set([...wanted, ...stream.keys, ...(key === null ? [] : [key])]);
  return { stream, columns, method, key: method === 'INCREMENTAL' ? key : null };
}

function ownKey(described: Row, about: Row): string | null {
  const valid = texts(about['valid-replication-keys']);
  const [only = null] = valid.length === 1 ? valid : [];
  return textOf(about['replication-key']) ?? textOf(described['replication_key']) ?? only;
}

/** The catalogue with one stream selected; `isOld` also selects in the schema, as taps with `--properties` want it. */
export function selectedCatalogue(streams: readonly SingerStream[], chosen: Selection, isOld: boolean): Row {
  return {
    streams: streams.map((stream) =>
      stream === chosen.stream ? selected(stream.described, chosen, isOld) : deselected(stream.described),
    ),
  };
}

function selected(described: Row, { columns, method, key }: Selection, isOld: boolean): Row {
  const ofKey = key === null ? {} : { 'replication-key': key };
  const properties = propertiesOf(described);
  const inner = metadataOf(described).filter(({ breadcrumb }) => breadcrumb.length > 2);
  const metadata: Metadata[] = [
    {
      breadcrumb: [],
      metadata: { ...aboutStream(described), selected: true, 'replication-method': method, ...ofKey },
    },
    ...Object.keys(properties).map((name) => ({
      breadcrumb: ['properties', name],
      metadata: { ...aboutColumn(described, name), selected: columns.has(name) },
    })),
    ...inner,
  ];
  const schema = isOld ? selectedSchema(described['schema'], columns) : described['schema'];
  const replication = { replication_method: method, ...(key === null ? {} : { replication_key: key }) };
  return { ...described, selected: true, ...replication, schema, metadata };
}

function selectedSchema(schema: unknown, columns: ReadonlySet<string>): unknown {
  if (!isRecord(schema) || !isRecord(schema['properties'])) return schema;
  const properties = Object.entries(schema['properties']).map(([name, property]) => [
    name,
    isRecord(property) ? { ...property, selected: columns.has(name) } : property,
  ]);
  return { ...schema, selected: true, properties: Object.fromEntries(properties) };
}

function deselected(described: Row): Row {
  const others = metadataOf(described).filter(({ breadcrumb }) => breadcrumb.length > 0);
  const root = { breadcrumb: [], metadata: { ...aboutStream(described), selected: false } };
  return { ...described, selected: false, metadata: [root, ...others] };
}

/** Columns of the stream that are not selected. */
export function columnsLeft({ stream, columns }: Selection): ReadonlySet<string> {
  return new Set(Object.keys(propertiesOf(stream.described)).filter((name) => !columns.has(name)));
}

/** Whether a read that names no columns has this one. */
function isDefault(described: Row, name: string): boolean {
  return aboutColumn(described, name)['selected-by-default'] !== false;
}

function propertiesOf({ schema }: Row): Row {
  const properties = isRecord(schema) ? schema['properties'] : null;
  return isRecord(properties) ? properties : {};
}

function metadataOf({ metadata }: Row): Metadata[] {
  if (!Array.isArray(metadata)) return [];
  return metadata
    .filter(isRecord)
    .flatMap(({ breadcrumb, metadata: about }) =>
      Array.isArray(breadcrumb) && isRecord(about) ? [{ breadcrumb, metadata: about }] : [],
    );
}

function aboutStream(described: Row): Row {
  return metadataOf(described).find(({ breadcrumb }) => breadcrumb.length === 0)?.metadata ?? {};
}

function aboutColumn(described: Row, name: string): Row {
  const found = metadataOf(described).find(
    ({ breadcrumb }) => breadcrumb.length === 2 && breadcrumb[0] === 'properties' && breadcrumb[1] === name,
  );
  return found?.metadata ?? {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
