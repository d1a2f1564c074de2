import { type ConnectContext, type Connection, ConnectorError } from '../../driver.ts';
import { noMethod } from '../../files/open-file.ts';
import { parseInput } from '../../files/parse-input.ts';
import { streamNamed } from '../plugin-stream.ts';
import { askedOnce, streamConnection } from '../stream-connection.ts';
import { streamsOf } from './catalogue.ts';
import { airbyteConfig, airbyteReadArgs, airbyteSpecArgs } from './config.ts';
import { readStream } from './read.ts';
import { AirbyteSource } from './source.ts';

/** Refuses secrets where they would be stored and shown in clear. */
async function specified(source: AirbyteSource, signal: AbortSignal): Promise<void> {
  const spec = await source.ask({ command: 'spec', signal }, 'SPEC');
  const misplaced = source.misplacedSecrets(spec).map((path) => `"${path}"`);
  if (misplaced.length > 0)
    throw new ConnectorError(
      'CONFIG',
      `Secret for this source: move ${misplaced.join(', ')} from "config" to "secrets"`,
    );
}

async function checked(source: AirbyteSource, signal: AbortSignal): Promise<void> {
  const { status, message } = await source.ask({ command: 'check', signal }, 'CONNECTION_STATUS');
  if (status !== 'SUCCEEDED')
    throw new ConnectorError(
      'CONFIG',
      source.clean(`The source refuses: ${String(message ?? 'no reason given')}`),
    );
}

export async function connectAirbyte(given: unknown, context: ConnectContext): Promise<Connection> {
  const config = parseInput(airbyteConfig, given, 'the configuration of an airbyte connector');
  const source = new AirbyteSource(config, context);
  const streams = askedOnce(async (signal) =>
    streamsOf(await source.ask({ command: 'discover', signal }, 'CATALOG')),
  );
  return {
    ...streamConnection(streams, (stream, { skip = 0, ...request }) =>
      readStream({ source, stream, args: { stream: stream.resource }, request, skip }),
    ),
    test: async (signal) => {
      await Promise.all([specified(source, signal), checked(source, signal)]);
      return `The source "${config.plugin}" is ready`;
    },
    async *read(request) {
      if (request.method !== 'read') throw noMethod('airbyte', request.method);
      const args = parseInput(airbyteReadArgs, request.args ?? {}, 'the arguments of "read"');
      const stream = streamNamed(await streams(request.signal), args.stream);
      yield* readStream({ source, stream, args, request });
    },
    call: async (method, args, signal) => {
      if (method !== 'spec') throw noMethod('airbyte', method);
      parseInput(airbyteSpecArgs, args ?? {}, 'the arguments of "spec"');
      const { connectionSpecification } = await source.ask({ command: 'spec', signal }, 'SPEC');
      return connectionSpecification ?? null;
    },
    openWriter: async () => {
      throw new ConnectorError('CONFIG', 'An Airbyte source cannot be written to');
    },
    close: async () => undefined,
  };
}
