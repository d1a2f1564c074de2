import { type Connection, ConnectorError, type Driver, type Row } from './driver.ts';

export interface ReadOnlyCall {
  readonly method: string;
  readonly args: unknown;
  /** More rows than these are an error, not a cut: an aggregate of some rows would be wrong. */
  readonly rowsMax: number;
  readonly signal: AbortSignal;
}

/**
 * The rows, or the value, of a method that the driver declares as reading. Throws a `CONFIG` error for any other method, and
 * for more than `rowsMax` rows.
 */
export async function readOnlyCall(
  driver: Driver,
  connection: Connection,
  call: ReadOnlyCall,
): Promise<unknown> {
  const method = driver.methods.find((candidate) => candidate.name === call.method);
  if (method === undefined || method.kind === 'write') {
    const names = driver.methods.filter(({ kind }) => kind !== 'write').map(({ name }) => `"${name}"`);
    const problem = method === undefined ? 'has no method' : 'cannot be changed here by';
    throw new ConnectorError(
      'CONFIG',
      `A connector of type "${driver.type}" ${problem} "${call.method}"; methods that read are ${names.join(', ')}`,
    );
  }
  if (method.kind === 'value') return connection.call(call.method, call.args, call.signal);
  const { args, rowsMax, signal } = call;
  const rows: Row[] = [];
  for await (const batch of connection.read({
    method: call.method,
    args,
    signal,
    readOnly: true,
    limit: rowsMax + 1,
  })) {
    for (const row of batch.rows) rows.push(row);
    if (rows.length > rowsMax) {
      const most = rowsMax.toLocaleString('en-US');
      throw new ConnectorError(
        'CONFIG',
        `"${call.method}" returned more than ${most} rows: add a LIMIT or an aggregate`,
      );
    }
  }
  return rows;
}
