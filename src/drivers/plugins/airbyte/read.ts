import { isRecord } from '../../../base/json.ts';
import { type Batch, ConnectorError, type ReadRequest, type Row } from '../../driver.ts';
import type { ValueGroup } from '../../json/json-records.ts';
import { ExactDecimals } from '../exact-decimals.ts';
import { markedBatches } from '../marked-batches.ts';
import { StateMarks } from '../state-marks.ts';
import { StreamShape } from '../stream-shape.ts';
import { type AirbyteStream, configuredCatalogue } from './catalogue.ts';
import type { AirbyteReadArgs } from './config.ts';
import type { AirbyteMessage } from './messages.ts';
import type { AirbyteSource } from './source.ts';
import { AirbyteState } from './source-state.ts';

/** Rough characters of a record beyond its own, in memory. */
const RECORD_CHARS = 64;

export interface StreamRead {
  readonly source: AirbyteSource;
  readonly stream: AirbyteStream;
  readonly args: AirbyteReadArgs;
  readonly request: Pick<ReadRequest, 'signal' | 'limit' | 'batchRows' | 'state' | 'log'>;
  /** Rows at the beginning to leave out. */
  readonly skip?: number;
}

/** What a source has told of the stream that is read. */
interface Seen {
  records: number;
  status: string | null;
}

/**
 * The records of one stream, read as a whole, or from the saved state on. Throws `UNAVAILABLE` where the source ends without having said
 * that the stream is complete; one that says nothing of streams at all is complete when it ends well.
 */
export async function* readStream({
  source,
  stream,
  args,
  request,
  skip,
}: StreamRead): AsyncGenerator<Batch, void, undefined> {
  const { signal, limit, batchRows, state, log } = request;
  const { columns = null } = args;
  const catalog = configuredCatalogue(stream, args, state !== undefined);
  const kept = new AirbyteState(state?.saved);
  const marks = new StateMarks(state);
  const seen: Seen = { records: 0, status: null };
  const files = { catalog, ...(state === undefined || state.saved === null ? {} : { state: kept.value() }) };
  const messages = source.messages({ command: 'read', signal, log, files });
  const groups = groupsOf(messages, stream, seen, (body) => {
    kept.follow(body);
    marks.mark(seen.records, kept.value());
  });
  const shape = new StreamShape(args.stream, stream.columns, columns);
  const isWhole = yield* markedBatches(groups, marks, {
    name: args.stream,
    columns,
    signal,
    limit,
    batchRows,
    skip,
    shape,
  });
  if (!isWhole) return;
  if (seen.status !== null && seen.status !== 'COMPLETE')
    throw new ConnectorError(
      'UNAVAILABLE',
      `The source ended before it had read the whole stream "${args.stream}" (it is ${seen.status})`,
    );
  marks.given(seen.records);
}

async function* groupsOf(
  messages: AsyncIterable<readonly AirbyteMessage[]>,
  stream: AirbyteStream,
  seen: Seen,
  onState: (body: Row) => void,
): AsyncGenerator<ValueGroup, void, undefined> {
  const decimals = new ExactDecimals(stream.columns);
  for await (const some of messages) {
    const first = seen.records + 1;
    const values: unknown[] = [];
    let chars = 0;
    for (const { type, body } of some) {
      if (type === 'RECORD') {
        requireOf(stream, body);
        const data = body['data'] as Row;
        decimals.apply(data);
        values.push(data);
        chars += RECORD_CHARS * Object.keys(data).length;
        seen.records += 1;
      } else if (type === 'STATE') onState(body);
      else if (type === 'TRACE') seen.status = statusOf(stream, body) ?? seen.status;
    }
    if (values.length > 0) yield { values, chars, first };
  }
}

/** Only this one is asked for: a record of another is one of it under a wrong name. */
function requireOf(stream: AirbyteStream, { stream: name, namespace }: Row): void {
  if (isOf(stream, name, namespace)) return;
  const named = [namespace, name].filter((part) => part !== undefined && part !== null).join('.');
  throw new ConnectorError(
    'TARGET',
    `The source writes records of the stream "${named}", and only "${stream.resource}" was asked for`,
  );
}

function isOf(stream: AirbyteStream, name: unknown, namespace: unknown): boolean {
  return name === stream.name && (namespace ?? null) === stream.namespace;
}

function statusOf(stream: AirbyteStream, trace: Row): string | null {
  const told = trace['stream_status'];
  if (trace['type'] !== 'STREAM_STATUS' || !isRecord(told)) return null;
  const descriptor = told['stream_descriptor'];
  if (!isRecord(descriptor) || !isOf(stream, descriptor['name'], descriptor['namespace'])) return null;
  return String(told['status']);
}
