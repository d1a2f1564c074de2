import { createRedactor } from '../../../base/text/redactor.ts';
import { type ConnectContext, ConnectorError, type Row } from '../../driver.ts';
import { mergedConfig, secretTexts } from '../merged-config.ts';
import type { PluginConfig } from '../plugin-config.ts';
import { pluginNamed } from '../plugin-named.ts';
import { boundedLog } from '../source-log.ts';
import type { SourceLog } from '../source-state.ts';
import { makePluginFolder, type PluginFolder } from './plugin-folder.ts';
import { PluginProcess } from './plugin-process.ts';

/** Of all that it writes, for calls whose answer is held in memory. */
export const ANSWER_BYTES_MAX = 64 * 1_048_576;

/** Takes a line of a log, in the words of the plug-in's own levels. */
export type PluginLog = (level: string, message: string) => void;

export interface PluginCall {
  readonly args: readonly string[];
  /** JSON files, each behind the arguments as `--name PATH`. */
  readonly files?: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly log?: SourceLog | undefined;
  /** Default: any number. */
  readonly outputBytesMax?: number;
  /** It reads, and need not write anything. Default false. */
  readonly isReader?: boolean;
}

/** A call whose process has started. */
export interface PluginExchange {
  readonly process: PluginProcess;
  readonly log: PluginLog;
}

/** A program of the settings with the configuration of one connector: each call is a process of its own. */
export class PluginProgram {
  readonly name: string;
  /** A text without the secrets. */
  readonly clean: (text: string) => string;
  readonly #plugin: ReturnType<typeof pluginNamed>;
  readonly #config: PluginConfig;
  readonly #levelOf: (line: string) => string;

  /** `levelOf`: the level of a line of standard error. Throws `CONFIG` where there is no such plug-in here. */
  constructor(
    config: PluginConfig,
    context: ConnectContext,
    levelOf: (line: string) => string = () => 'INFO',
  ) {
    this.#plugin = pluginNamed(context, config.plugin);
    this.name = this.#plugin.name;
    this.#config = config;
    this.#levelOf = levelOf;
    const redactor = createRedactor(secretTexts(config.secrets));
    this.clean = (text) => redactor.text(text);
  }

  /** Its configuration with the secrets in their places. */
  filled(): Row {
    return mergedConfig(this.#config.config, this.#config.secrets ?? {});
  }

  /** Starts a process, and removes its folder once `use` has ended. What `use` throws as a `ConnectorError` is without the secrets. */
  async *with<T>(
    call: PluginCall,
    use: (exchange: PluginExchange) => AsyncGenerator<T, void, undefined>,
  ): AsyncGenerator<T, void, undefined> {
    const folder = await makePluginFolder();
    const log = boundedLog(call.log, this.clean);
    try {
      const process = await this.#start(call, folder, log);
      try {
        yield* use({ process, log });
      } finally {
        process.close();
      }
    } catch (error) {
      throw error instanceof ConnectorError ? this.#cleaned(error) : error;
    } finally {
      await folder.remove();
    }
  }

  async #start(call: PluginCall, folder: PluginFolder, log: PluginLog): Promise<PluginProcess> {
    const args = [...call.args];
    for (const [name, content] of Object.entries(call.files ?? {}))
      args.push(`--${name}`, await folder.write(`${name}.json`, content));
    return new PluginProcess({
      plugin: this.#plugin,
      args,
      folder: folder.path,
      signal: call.signal,
      silenceMs: call.isReader === true ? null : this.#config.silence_timeout_seconds * 1_000,
      ...(call.outputBytesMax === undefined ? {} : { outputBytesMax: call.outputBytesMax }),
      said: (line) => log(this.#levelOf(line), line),
    });
  }

  #cleaned(error: ConnectorError): ConnectorError {
    const message = this.clean(error.message);
    return message === error.message ? error : new ConnectorError(error.fault, message);
  }
}
