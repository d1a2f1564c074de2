import { type ConnectContext, type Connection, ConnectorError } from '../../driver.ts';
import { noMethod } from '../../files/open-file.ts';
import { parseInput } from '../../files/parse-input.ts';
import { streamNamed } from '../plugin-stream.ts';
import { askedOnce, type StreamRequest, streamConnection } from '../stream-connection.ts';
import { columnsLeft, type SingerStream, selectedCatalogue, selectionOf, singerStream } from './catalogue.ts';
import { type SingerReadArgs, singerConfig, singerReadArgs } from './config.ts';
import { readStream } from './read.ts';
import { SingerTap } from './tap.ts';

export async function connectSinger(given: unknown, context: ConnectContext): Promise<Connection> {
  const config = parseInput(singerConfig, given, 'the configuration of a singer connector');
  const tap = new SingerTap(config, context);
  const takesCatalogue = config.catalog_argument !== 'none';
  const streams = askedOnce((signal) => tap.streams(signal));
  const read = async function* (args: SingerReadArgs, { skip = 0, ...request }: StreamRequest) {
    const wanted = args.columns ?? null;
    if (!takesCatalogue) {
      const stream = singerStream({ stream: args.stream });
      yield* readStream({ tap, stream, catalog: undefined, wanted, left: new Set(), request, skip });
      return;
    }
    const all = await streams(request.signal);
    const stream = streamNamed(all, args.stream);
    const selection = selectionOf(stream, args, request.state !== undefined);
    const catalog = selectedCatalogue(all, selection, config.catalog_argument === 'properties');
    const columns = stream.columns.filter(({ name }) => selection.columns.has(name));
    const left = columnsLeft(selection);
    const reading = readStream({ tap, stream: { ...stream, columns }, catalog, wanted, left, request, skip });
    if (selection.method !== 'INCREMENTAL' || selection.key !== null) yield* reading;
    else yield* withKeyHint(reading, args.stream);
  };
  return {
    ...streamConnection<SingerStream>(streams, ({ resource }, request) =>
      read({ stream: resource }, request),
    ),
    test: async (signal) => {
      const { length } = await streams(signal);
      return `The tap "${config.plugin}" is ready: ${length} ${length === 1 ? 'stream' : 'streams'}`;
    },
    async *read(request) {
      if (request.method !== 'read') throw noMethod('singer', request.method);
      const args = parseInput(singerReadArgs, request.args ?? {}, 'the arguments of "read"');
      yield* read(args, request);
    },
    call: async (method) => {
      throw noMethod('singer', method);
    },
    openWriter: async () => {
      throw new ConnectorError('CONFIG', 'A Singer tap cannot be written to: a target can');
    },
    close: async () => undefined,
  };
}

/** Most taps that are given no replication key fail in words of their own code. */
async function* withKeyHint<T>(
  reading: AsyncGenerator<T, void, undefined>,
  stream: string,
): AsyncGenerator<T, void, undefined> {
  try {
    yield* reading;
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.fault !== 'TARGET') throw error;
    throw new ConnectorError(
      'TARGET',
      `${error.message}. The stream "${stream}" was read incrementally without a replication key: set "replication_key" if it needs one`,
    );
  }
}
