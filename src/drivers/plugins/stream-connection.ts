import { sha256 } from '../../base/ids.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Batch, Connection, ReadRequest } from '../driver.ts';
import { pageRows } from '../files/page-rows.ts';
import { type PluginStream, streamNamed } from './plugin-stream.ts';

/** What is asked of a stream; `skip`: rows at the beginning to leave out. */
export interface StreamRequest extends Pick<ReadRequest, 'signal' | 'limit' | 'batchRows' | 'state' | 'log'> {
  readonly skip?: number;
}

export type StreamConnection = Pick<Connection, 'listResources' | 'describe' | 'page'>;

/**
 * The resources of a source of streams, which are asked for once a connection: a program takes seconds to start. `read` reads all of a
 * stream.
 */
export function streamConnection<S extends PluginStream>(
  streams: (signal: AbortSignal) => Promise<readonly S[]>,
  read: (stream: S, request: StreamRequest) => AsyncIterable<Batch>,
): StreamConnection {
  return {
    listResources: async (signal) =>
      (await streams(signal)).map(({ resource }) => ({ name: resource, type: 'stream' })),
    describe: async (resource, signal) => streamNamed(await streams(signal), resource).columns,
    page: async (request) => {
      const stream = streamNamed(await streams(request.signal), request.resource);
      const { columns, described } = stream;
      const version = sha256(canonicalJson(described));
      const rows = (skip: number, _names: readonly string[], signal: AbortSignal) =>
        read(stream, { signal, skip });
      return pageRows({ version, columns, rows }, request);
    },
  };
}

/** Asks once, and again only after a failure. */
export function askedOnce<T>(ask: (signal: AbortSignal) => Promise<T>): (signal: AbortSignal) => Promise<T> {
  let known: { readonly value: T } | null = null;
  return async (signal) => {
    known ??= { value: await ask(signal) };
    return known.value;
  };
}
