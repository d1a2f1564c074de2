import { canonicalJson } from '../../../base/json.ts';
import { type Batch, ConnectorError, type ReadRequest, type Row } from '../../driver.ts';
import type { ValueGroup } from '../../json/json-records.ts';
import { ExactDecimals } from '../exact-decimals.ts';
import { markedBatches } from '../marked-batches.ts';
import { schemaColumns } from '../schema-columns.ts';
import { StateMarks } from '../state-marks.ts';
import { StreamShape } from '../stream-shape.ts';
import { type SingerStream, texts } from './catalogue.ts';
import type { SingerMessage } from './messages.ts';
import type { SingerTap } from './tap.ts';

/** Rough characters of a record beyond its own, in memory. */
const RECORD_CHARS = 64;

export interface StreamRead {
  readonly tap: SingerTap;
  readonly stream: SingerStream;
  /** The tap's catalogue with the stream selected; absent for a tap that takes none. */
  readonly catalog: Row | undefined;
  /** Columns to give, in this order; null for all. */
  readonly wanted: readonly string[] | null;
  /** Columns that the tap describes and leaves out. */
  readonly left: ReadonlySet<string>;
  readonly request: Pick<ReadRequest, 'signal' | 'limit' | 'batchRows' | 'state' | 'log'>;
  /** Rows at the beginning to leave out. */
  readonly skip?: number;
}

/** The records of one stream, read as a whole, or from the saved state on. Throws `TARGET` where the tap ends without the stream. */
export async function* readStream(read: StreamRead): AsyncGenerator<Batch, void, undefined> {
  const { tap, stream, catalog, wanted, left, request, skip } = read;
  const { signal, limit, batchRows, state, log } = request;
  const marks = new StateMarks(state);
  const saved = state?.saved ?? undefined;
  const messages = tap.read({ catalog, signal, log, ...(saved === undefined ? {} : { state: saved }) });
  const shape = new StreamShape(stream.resource, stream.columns, wanted);
  const records = new StreamRecords(stream, left, shape, marks);
  const isWhole = yield* markedBatches(records.groups(messages), marks, {
    name: stream.resource,
    columns: wanted,
    signal,
    limit,
    batchRows,
    skip,
    shape,
  });
  if (isWhole) records.end();
}

interface Group {
  readonly values: unknown[];
  chars: number;
  readonly first: number;
}

/** What a tap writes of the stream that is read. */
class StreamRecords {
  readonly #stream: SingerStream;
  readonly #left: ReadonlySet<string>;
  readonly #shape: StreamShape;
  readonly #marks: StateMarks;
  #decimals: ExactDecimals;
  #records = 0;
  /** As JSON; null until the tap has described the stream. */
  #schema: string | null = null;
  /** Of another stream with records or a description. */
  #other: string | null = null;
  /** Other streams. */
  readonly #described = new Set<string>();

  constructor(stream: SingerStream, left: ReadonlySet<string>, shape: StreamShape, marks: StateMarks) {
    this.#stream = stream;
    this.#left = left;
    this.#shape = shape;
    this.#marks = marks;
    this.#decimals = new ExactDecimals(stream.columns);
  }

  async *groups(
    messages: AsyncIterable<readonly SingerMessage[]>,
  ): AsyncGenerator<ValueGroup, void, undefined> {
    for await (const some of messages) {
      let group = this.#group();
      for (const { type, body, chars } of some) {
        if (type === 'STATE') this.#marks.mark(this.#records, body['value']);
        else if (this.#isOther(body)) this.#passOver(type, String(body['stream']));
        else if (type === 'RECORD') this.#add(group, body['record'] as Row, chars);
        else if (type === 'BATCH')
          throw this.#problem('writes BATCH messages: take "batch_config" from its configuration');
        else if (type === 'SCHEMA' && this.#isNew(body['schema'])) {
          // The records before it keep their columns.
          if (group.values.length > 0) yield group;
          group = this.#group();
          this.#follow(body);
        }
      }
      if (group.values.length > 0) yield group;
    }
  }

  /** All messages have come. */
  end(): void {
    if (this.#schema === null && this.#other !== null)
      throw this.#problem(`has written the stream "${this.#other}" and not "${this.#stream.resource}"`);
    this.#marks.given(this.#records);
  }

  #group(): Group {
    return { values: [], chars: 0, first: this.#records + 1 };
  }

  #isOther({ stream }: Row): boolean {
    return !this.#stream.names.includes(String(stream));
  }

  /** A tap may write other streams that it has described, as one without a catalogue does. */
  #passOver(type: string, stream: string): void {
    this.#other ??= stream;
    if (type === 'SCHEMA') this.#described.add(stream);
    else if (type === 'RECORD' && !this.#described.has(stream))
      throw this.#problem(`writes records of "${stream}" before their SCHEMA`);
  }

  #add(group: Group, record: Row, chars: number): void {
    if (this.#schema === null)
      throw this.#problem(`writes records of "${this.#stream.resource}" before their SCHEMA`);
    this.#decimals.apply(record);
    group.values.push(record);
    group.chars += chars + RECORD_CHARS;
    this.#records += 1;
  }

  #isNew(schema: unknown): boolean {
    return canonicalJson(schema) !== this.#schema;
  }

  #follow({ schema, key_properties }: Row): void {
    this.#schema = canonicalJson(schema);
    const keys = texts(key_properties);
    const columns = schemaColumns(schema, keys.length > 0 ? keys : this.#stream.keys).filter(
      ({ name }) => !this.#left.has(name),
    );
    this.#decimals = new ExactDecimals(columns);
    this.#shape.declare(columns);
  }

  #problem(what: string): ConnectorError {
    return new ConnectorError('TARGET', `The tap ${what}`);
  }
}
