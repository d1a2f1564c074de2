import { messageOf } from '../../base/errors.ts';
import { type Connection, ConnectorError, type Driver, type Writer } from '../driver.ts';
import { CursorError } from '../page/cursor-error.ts';
import type { CustomDriver, DriverContext } from './interface.ts';

const MESSAGE_CHARS_MAX = 1_000;

type Guard = (error: unknown, signal?: AbortSignal) => unknown;

/**
 * A connection of a driver of one's own: what it throws that is no `ConnectorError` is a `TARGET` fault of that driver with its text, for
 * whoever runs the driver wrote it; the reason of a signal stays what it is.
 */
export async function guardedConnection(
  driver: Driver,
  config: unknown,
  context: DriverContext,
): Promise<Connection> {
  const fault: Guard = (error, signal) => {
    const isKnown = error instanceof ConnectorError || error instanceof CursorError;
    if (isKnown || signal?.aborted === true) return error;
    const text = messageOf(error).slice(0, MESSAGE_CHARS_MAX);
    return new ConnectorError('TARGET', `The driver "${driver.type}" failed: ${text}`, { cause: error });
  };
  const connect = () => (driver as CustomDriver).connect(config, context);
  return wrapped(await guarding(fault, connect), fault);
}

async function guarding<T>(fault: Guard, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fault(error, signal);
  }
}

function wrapped(connection: Connection, fault: Guard): Connection {
  return {
    test: (signal) => guarding(fault, () => connection.test(signal), signal),
    listResources: (signal) => guarding(fault, () => connection.listResources(signal), signal),
    describe: (resource, signal, options) =>
      guarding(fault, () => connection.describe(resource, signal, options), signal),
    async *read(request) {
      try {
        yield* connection.read(request);
      } catch (error) {
        throw fault(error, request.signal);
      }
    },
    page: (request) => guarding(fault, () => connection.page(request), request.signal),
    call: (method, args, signal) => guarding(fault, () => connection.call(method, args, signal), signal),
    openWriter: async (request) =>
      wrappedWriter(await guarding(fault, () => connection.openWriter(request), request.signal), fault),
    close: () => guarding(fault, () => connection.close()),
  };
}

function wrappedWriter(writer: Writer, fault: Guard): Writer {
  const { refused } = writer;
  return {
    alreadyDone: writer.alreadyDone,
    write: (batch) => guarding(fault, () => writer.write(batch)),
    ...(refused !== undefined && { refused: () => refused.call(writer) }),
    commit: (isComplete) => guarding(fault, () => writer.commit(isComplete)),
    abort: () => guarding(fault, () => writer.abort()),
  };
}
