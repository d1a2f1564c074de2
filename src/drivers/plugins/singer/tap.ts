import { isRecord } from '../../../base/json.ts';
import { type ConnectContext, ConnectorError, type Row } from '../../driver.ts';
import type { PluginProcess } from '../process/plugin-process.ts';
import { ANSWER_BYTES_MAX, type PluginExchange, PluginProgram } from '../process/plugin-program.ts';
import type { SourceLog } from '../source-state.ts';
import { type SingerStream, singerStream, streamsOf } from './catalogue.ts';
import type { SingerConfig } from './config.ts';
import { singerLogLevel } from './log-level.ts';
import { type SingerMessage, singerMessage } from './messages.ts';

/** Messages of a tap without discovery in which its streams are sought. */
const SOUGHT_MESSAGES_MAX = 10_000;
/** Of parsers of command lines. */
const USAGE_CODE = 2;

interface TapRead {
  /** The catalogue with the stream selected; absent for a tap that takes none. */
  readonly catalog?: Row | undefined;
  /** Absent: from the beginning. */
  readonly state?: unknown;
  readonly signal: AbortSignal;
  readonly log?: SourceLog | undefined;
}

/** The program of a tap: each call is a process of its own. */
export class SingerTap {
  readonly #program: PluginProgram;
  readonly #config: SingerConfig;

  /** Throws `CONFIG` where there is no such plug-in here. */
  constructor(config: SingerConfig, context: ConnectContext) {
    this.#program = new PluginProgram(config, context, singerLogLevel);
    this.#config = config;
  }

  /** The streams of its catalogue; of a tap without one, those that it describes among its first messages. */
  async streams(signal: AbortSignal): Promise<readonly SingerStream[]> {
    if (this.#config.catalog_argument === 'none') return this.#streamsMet(signal);
    const call = {
      args: ['--discover'],
      files: { config: this.#program.filled() },
      signal,
      outputBytesMax: ANSWER_BYTES_MAX,
    };
    let text = '';
    for await (const output of this.#program.with(call, (exchange) => this.#output(exchange))) text = output;
    return streamsOf(this.#catalogueIn(text));
  }

  /**
   * The messages of a read as they come. Leaving the loop ends the process. Throws how the tap ended badly, once it has ended, and `TARGET`
   * where it wrote no message at all.
   */
  read({ catalog, state, signal, log }: TapRead): AsyncGenerator<readonly SingerMessage[], void, undefined> {
    const files = {
      config: this.#program.filled(),
      ...(catalog === undefined ? {} : { [this.#config.catalog_argument]: catalog }),
      ...(state === undefined ? {} : { state }),
    };
    return this.#program.with({ args: [], files, signal, log }, (exchange) => this.#follow(exchange));
  }

  async *#follow({
    process,
    log,
  }: PluginExchange): AsyncGenerator<readonly SingerMessage[], void, undefined> {
    let isSpoken = false;
    for await (const lines of process.lines()) {
      const messages: SingerMessage[] = [];
      for (const line of lines) {
        const message = singerMessage(line);
        if (message !== null) messages.push(message);
        else if (line.trim() !== '') log('INFO', line);
      }
      isSpoken ||= messages.length > 0;
      if (messages.length > 0) yield messages;
    }
    await this.#requireGoodEnd(process);
    if (!isSpoken) throw this.#problem('wrote no message of the Singer specification');
  }

  /** All that it writes, at its end. */
  async *#output({ process }: PluginExchange): AsyncGenerator<string, void, undefined> {
    const all: string[] = [];
    for await (const lines of process.lines()) for (const line of lines) all.push(line);
    await this.#requireGoodEnd(process);
    yield all.join('\n');
  }

  async #requireGoodEnd(process: PluginProcess): Promise<void> {
    const code = await process.exit();
    if (code === 0) return;
    const end = process.badEnd(code);
    const isUnknown = code === USAGE_CODE && /--(discover|catalog|properties)\b/.test(end.message);
    if (!isUnknown) throw end;
    throw new ConnectorError('CONFIG', `${end.message}: see "catalog_argument"`);
  }

  /** Some print lines before it. */
  #catalogueIn(text: string): Row {
    const from = text.search(/^\s*\{/m);
    try {
      const catalogue: unknown = JSON.parse(text.slice(from));
      if (isRecord(catalogue) && Array.isArray(catalogue['streams'])) return catalogue;
    } catch {
      // It is no catalogue.
    }
    throw this.#problem(
      'wrote no catalogue for "--discover"; if it has no discovery, set "catalog_argument: none"',
    );
  }

  async #streamsMet(signal: AbortSignal): Promise<readonly SingerStream[]> {
    const met = new Map<string, SingerStream>();
    let seen = 0;
    for await (const messages of this.read({ signal })) {
      for (const { type, body } of messages) {
        const { stream, schema, key_properties } = body;
        if (type === 'SCHEMA') met.set(String(stream), singerStream({ stream, schema, key_properties }));
      }
      seen += messages.length;
      if (seen >= SOUGHT_MESSAGES_MAX) break;
    }
    return [...met.values()];
  }

  #problem(what: string): ConnectorError {
    return new ConnectorError('TARGET', `The plug-in "${this.#program.name}" ${what}`);
  }
}
