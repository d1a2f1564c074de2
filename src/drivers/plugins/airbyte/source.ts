import { isRecord } from '../../../base/json.ts';
import { createRedactor } from '../../../base/text/redactor.ts';
import { type ConnectContext, ConnectorError, type Row } from '../../driver.ts';
import { mergedConfig, secretTexts } from '../merged-config.ts';
import type { Plugin } from '../plugin.ts';
import { pluginNamed } from '../plugin-named.ts';
import { makePluginFolder } from '../process/plugin-folder.ts';
import { PluginProcess } from '../process/plugin-process.ts';
import { boundedLog } from '../source-log.ts';
import type { SourceLog } from '../source-state.ts';
import type { AirbyteConfig } from './config.ts';
import { type AirbyteMessage, airbyteMessage, tracedError } from './messages.ts';

const ANSWER_BYTES_MAX = 64 * 1_048_576;

interface Call {
  readonly command: 'spec' | 'check' | 'discover' | 'read';
  readonly signal: AbortSignal;
  readonly log?: SourceLog | undefined;
  /** Further files, by the argument that names them. */
  readonly files?: Readonly<Record<string, unknown>>;
}

/** The program of a source: each call is a process of its own. */
export class AirbyteSource {
  readonly #plugin: Plugin;
  readonly #config: AirbyteConfig;
  /** A text without the secrets. */
  readonly clean: (text: string) => string;

  /** Throws `CONFIG` where there is no such plug-in here. */
  constructor(config: AirbyteConfig, context: ConnectContext) {
    this.#plugin = pluginNamed(context, config.plugin);
    this.#config = config;
    const redactor = createRedactor(secretTexts(config.secrets));
    this.clean = (text) => redactor.text(text);
  }

  /** What the first message of the type holds. */
  async ask(call: Call, type: 'SPEC' | 'CONNECTION_STATUS' | 'CATALOG'): Promise<Row> {
    let answer: Row | null = null;
    for await (const messages of this.messages(call))
      for (const message of messages) if (message.type === type) answer ??= message.body;
    if (answer !== null) return answer;
    throw new ConnectorError(
      'TARGET',
      `The source "${this.#plugin.name}" ended "${call.command}" without its answer`,
    );
  }

  /**
   * The messages of a call as they come, without LOG, which goes to `log`. Leaving the loop ends the process. Throws what a TRACE tells
   * as an error, or how else the process ended badly, once it has ended.
   */
  async *messages(call: Call): AsyncGenerator<readonly AirbyteMessage[], void, undefined> {
    const folder = await makePluginFolder();
    const log = boundedLog(call.log, this.clean);
    try {
      const files = { ...(call.command === 'spec' ? {} : { config: this.#filled() }), ...call.files };
      const args: string[] = [call.command];
      for (const [name, content] of Object.entries(files))
        args.push(`--${name}`, await folder.write(`${name}.json`, content));
      const process = new PluginProcess({
        plugin: this.#plugin,
        args,
        folder: folder.path,
        signal: call.signal,
        silenceMs: this.#config.silence_timeout_seconds * 1_000,
        ...(call.command === 'read' ? {} : { outputBytesMax: ANSWER_BYTES_MAX }),
        said: (line) => log('INFO', line),
      });
      yield* this.#follow(process, log);
    } finally {
      await folder.remove();
    }
  }

  async *#follow(
    process: PluginProcess,
    log: (level: string, message: string) => void,
  ): AsyncGenerator<readonly AirbyteMessage[], void, undefined> {
    let fault: ConnectorError | null = null;
    let isSpoken = false;
    for await (const lines of process.lines()) {
      const messages: AirbyteMessage[] = [];
      for (const line of lines) {
        const message = airbyteMessage(line);
        if (message === null) {
          if (line.trim() !== '') log('INFO', line);
          continue;
        }
        isSpoken = true;
        if (message.type === 'LOG') log(String(message.body['level']), String(message.body['message']));
        else if (message.type === 'CONTROL')
          log('WARN', 'The source has changed its configuration, which is not kept: a new token may be lost');
        else if (message.type === 'TRACE') fault ??= tracedError(message.body);
        messages.push(message);
      }
      if (messages.length > 0) yield messages;
    }
    const code = await process.exit();
    const bad = fault ?? (code === 0 ? null : process.badEnd(code));
    if (bad !== null) throw new ConnectorError(bad.fault, this.clean(bad.message));
    if (!isSpoken)
      throw new ConnectorError(
        'TARGET',
        `The plug-in "${this.#plugin.name}" wrote no message of the Airbyte protocol`,
      );
  }

  #filled(): Row {
    return mergedConfig(this.#config.config, this.#config.secrets ?? {});
  }

  /** Paths of `config` that the specification marks as secret. */
  misplacedSecrets(spec: Row): string[] {
    const schema = spec['connectionSpecification'];
    return isRecord(schema) ? secretPaths(schema, this.#config.config) : [];
  }
}

/** Also inside the alternatives of a `oneOf`: a value that is secret in any of them is. */
function secretPaths(schema: Row, value: unknown, path = ''): string[] {
  if (value === undefined) return [];
  if (schema['airbyte_secret'] === true) return [path];
  if (!isRecord(value)) return [];
  const found = new Set<string>();
  for (const key of ['oneOf', 'anyOf', 'allOf'] as const) {
    const parts = schema[key];
    if (!Array.isArray(parts)) continue;
    for (const part of parts.filter(isRecord))
      for (const one of secretPaths(part, value, path)) found.add(one);
  }
  const properties = schema['properties'];
  for (const [name, property] of Object.entries(isRecord(properties) ? properties : {})) {
    const below = path === '' ? name : `${path}.${name}`;
    if (isRecord(property)) for (const one of secretPaths(property, value[name], below)) found.add(one);
  }
  return [...found];
}
