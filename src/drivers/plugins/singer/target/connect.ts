import { type ConnectContext, type Connection, ConnectorError } from '../../../driver.ts';
import { noMethod } from '../../../files/open-file.ts';
import { parseInput } from '../../../files/parse-input.ts';
import { PluginProgram } from '../../process/plugin-program.ts';
import { singerLogLevel } from '../log-level.ts';
import { singerTargetConfig } from './config.ts';
import { TargetProcess } from './target-process.ts';
import { TargetWriter } from './target-writer.ts';

function writeOnly(): ConnectorError {
  return new ConnectorError('CONFIG', 'A Singer target can only be written to');
}

export async function connectSingerTarget(given: unknown, context: ConnectContext): Promise<Connection> {
  const config = parseInput(singerTargetConfig, given, 'the configuration of a singer_target connector');
  const program = new PluginProgram(config, context, singerLogLevel);
  const patienceMs = config.silence_timeout_seconds * 1_000;
  return {
    test: async (signal) => {
      const target = new TargetProcess({
        program,
        signal,
        log: undefined,
        patienceMs,
        onState: () => undefined,
      });
      try {
        await target.finish();
      } finally {
        await target.close();
      }
      return `The target "${config.plugin}" starts with this configuration; it reaches its store with the first row`;
    },
    listResources: async () => {
      throw writeOnly();
    },
    describe: async () => {
      throw writeOnly();
    },
    // biome-ignore lint/correctness/useYield: there is nothing to read.
    async *read() {
      throw writeOnly();
    },
    page: async () => {
      throw writeOnly();
    },
    call: async (method) => {
      throw noMethod('singer_target', method);
    },
    openWriter: async (request) => {
      if (request.mode === 'upsert' && !config.upserts)
        throw new ConnectorError(
          'CONFIG',
          'The mode "upsert" needs a target that replaces rows by their key: if it does, set "upserts: true" in its connector, else use "append"',
        );
      return new TargetWriter(program, patienceMs, request);
    },
    close: async () => undefined,
  };
}
