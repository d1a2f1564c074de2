import { isRecord } from '../../../base/json.ts';
import { ConnectorError, type Row } from '../../driver.ts';
import type { PluginStream } from '../plugin-stream.ts';
import { schemaColumns } from '../schema-columns.ts';
import type { AirbyteReadArgs } from './config.ts';

/** A stream of the source's catalogue. */
export interface AirbyteStream extends PluginStream {
  readonly name: string;
  readonly namespace: string | null;
}

export function streamsOf(catalogue: Row): AirbyteStream[] {
  const streams = catalogue['streams'];
  if (!Array.isArray(streams)) return [];
  return streams.filter(isRecord).map((described) => {
    const name = String(described['name']);
    const namespace = typeof described['namespace'] === 'string' ? described['namespace'] : null;
    return {
      name,
      namespace,
      resource: namespace === null ? name : `${namespace}.${name}`,
      columns: schemaColumns(described['json_schema'], plainKeys(described['source_defined_primary_key'])),
      described,
    };
  });
}

/** A key may lie inside of a nested value; as a column it is none then. */
function plainKeys(keys: unknown): string[] {
  if (!Array.isArray(keys)) return [];
  return keys.flatMap((path) => (Array.isArray(path) && path.length === 1 ? [String(path[0])] : []));
}

/** The configured catalogue of a read of one stream. Throws `CONFIG` where the source cannot read it so. */
export function configuredCatalogue(
  stream: AirbyteStream,
  args: AirbyteReadArgs,
  isIncremental: boolean,
): Row {
  const { described } = stream;
  const modes = described['supported_sync_modes'];
  const cursor = cursorField(stream, args);
  if (isIncremental && !(Array.isArray(modes) && modes.includes('incremental')))
    throw new ConnectorError(
      'CONFIG',
      `The source can only read the stream "${args.stream}" as a whole: omit "cursor"`,
    );
  if (isIncremental && cursor.length === 0 && described['source_defined_cursor'] !== true)
    throw new ConnectorError(
      'CONFIG',
      `The source needs a cursor field for the stream "${args.stream}": set "cursor_field"`,
    );
  return {
    streams: [
      {
        stream: described,
        sync_mode: isIncremental ? 'incremental' : 'full_refresh',
        destination_sync_mode: 'append',
        cursor_field: cursor,
        primary_key: described['source_defined_primary_key'] ?? [],
      },
    ],
  };
}

function cursorField({ described, columns }: AirbyteStream, args: AirbyteReadArgs): unknown[] {
  const { cursor_field: given } = args;
  if (given !== undefined && columns.length > 0 && !columns.some(({ name }) => name === given))
    throw new ConnectorError('CONFIG', `The stream "${args.stream}" has no column "${given}"`);
  if (given !== undefined) return [given];
  const own = described['default_cursor_field'];
  return Array.isArray(own) ? own : [];
}
