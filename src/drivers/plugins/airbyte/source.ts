import { type ConnectContext, ConnectorError, type Row } from '../../driver.ts';
import { ANSWER_BYTES_MAX, type PluginExchange, PluginProgram } from '../process/plugin-program.ts';
import type { SourceLog } from '../source-state.ts';
import type { AirbyteConfig } from './config.ts';
import { configSchemaOf, secretPaths } from './config-schema.ts';
import { type AirbyteMessage, airbyteMessage, tracedError, tracedStack } from './messages.ts';

interface Call {
  readonly command: 'spec' | 'check' | 'discover' | 'read';
  readonly signal: AbortSignal;
  readonly log?: SourceLog | undefined;
  /** Further files, by the argument that names them. */
  readonly files?: Readonly<Record<string, unknown>>;
}

/** The program of a source: each call is a process of its own. */
export class AirbyteSource {
  readonly #program: PluginProgram;
  readonly #config: AirbyteConfig;

  /** Throws `CONFIG` where there is no such plug-in here. */
  constructor(config: AirbyteConfig, context: ConnectContext) {
    this.#program = new PluginProgram(config, context);
    this.#config = config;
  }

  /** A text without the secrets. */
  clean(text: string): string {
    return this.#program.clean(text);
  }

  /** What the first message of the type holds. */
  async ask(call: Call, type: 'SPEC' | 'CONNECTION_STATUS' | 'CATALOG'): Promise<Row> {
    let answer: Row | null = null;
    for await (const messages of this.messages(call))
      for (const message of messages) if (message.type === type) answer ??= message.body;
    if (answer !== null) return answer;
    throw new ConnectorError(
      'TARGET',
      `The source "${this.#program.name}" ended "${call.command}" without a result`,
    );
  }

  /**
   * The messages of a call as they come, without LOG, which goes to `log`. Leaving the loop ends the process. Throws what a TRACE tells
   * as an error, or how else the process ended badly, once it has ended.
   */
  messages({
    command,
    signal,
    log,
    files,
  }: Call): AsyncGenerator<readonly AirbyteMessage[], void, undefined> {
    return this.#program.with(
      {
        args: [command],
        files: { ...(command === 'spec' ? {} : { config: this.#program.filled() }), ...files },
        signal,
        log,
        ...(command === 'read' ? {} : { outputBytesMax: ANSWER_BYTES_MAX }),
      },
      (exchange) => this.#follow(exchange),
    );
  }

  async *#follow({
    process,
    log,
  }: PluginExchange): AsyncGenerator<readonly AirbyteMessage[], void, undefined> {
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
          log('WARN', 'The source changed its configuration, which is not saved: a new token may be lost');
        else if (message.type === 'TRACE') {
          fault ??= tracedError(message.body);
          const stack = tracedStack(message.body);
          if (stack !== null) log('DEBUG', stack);
        }
        messages.push(message);
      }
      if (messages.length > 0) yield messages;
    }
    const code = await process.exit();
    if (fault !== null) throw fault;
    if (code !== 0) throw process.badEnd(code);
    if (!isSpoken)
      throw new ConnectorError(
        'TARGET',
        `The plug-in "${this.#program.name}" did not write a message of the Airbyte protocol`,
      );
  }

  /** Paths of `config` that the specification marks as secret. */
  misplacedSecrets(spec: Row): string[] {
    return secretPaths(configSchemaOf(spec['connectionSpecification']), this.#config.config);
  }
}
