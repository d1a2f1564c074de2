import { messageOf } from '../../../base/errors.ts';
import {
  type Batch,
  type Connection,
  ConnectorError,
  type Driver,
  type Method,
  type ReadRequest,
  type Row,
} from '../../driver.ts';
import type { DriverContext, DriverSample, SampleRead } from '../interface.ts';

/** What one check found. `skipped`: the driver does not have what it looks at, which the message says. */
export interface CheckResult {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Empty for one that passed. */
  readonly message: string;
}

/** What is checked. */
export interface Subject {
  readonly driver: Driver;
  readonly sample: DriverSample & { readonly read: SampleRead };
  readonly context: DriverContext;
}

export interface Check {
  readonly name: string;
  /** Resolves with the reason where there is nothing to look at, else null. Throws for what is wrong. */
  run(subject: Subject): Promise<string | null>;
}

/** What a driver does that the interface does not allow; the message is for its author. */
export class Finding extends Error {}

export function requireThat(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Finding(message);
}

/** Opens a connection, which is closed whatever comes of the work. */
export async function connected<T>(
  { driver, sample, context }: Subject,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await driver.connect(sample.config, context);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** That the work is refused with a fault; `what` begins the sentence otherwise. */
export async function requireFault(
  what: string,
  fault: ConnectorError['fault'],
  work: () => Promise<unknown>,
): Promise<void> {
  let thrown: unknown;
  try {
    await work();
  } catch (error) {
    thrown = error;
  }
  requireThat(
    thrown !== undefined,
    `${what} is accepted; it must be refused with a ConnectorError of the fault ${fault}`,
  );
  const isFault = thrown instanceof ConnectorError && thrown.fault === fault;
  const given = thrown instanceof ConnectorError ? `the fault ${thrown.fault}` : `a plain ${nameOf(thrown)}`;
  requireThat(isFault, `${what} ends with ${given} ("${messageOf(thrown)}"), not with the fault ${fault}`);
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : typeof thrown;
}

export async function batchesOf(
  connection: Connection,
  read: SampleRead,
  more: Partial<ReadRequest> = {},
): Promise<readonly Batch[]> {
  const batches: Batch[] = [];
  const request = { ...read, signal: new AbortController().signal, ...more };
  for await (const batch of connection.read(request)) batches.push(batch);
  return batches;
}

export async function rowsOf(
  connection: Connection,
  read: SampleRead,
  more: Partial<ReadRequest> = {},
): Promise<Row[]> {
  return (await batchesOf(connection, read, more)).flatMap(({ rows }) => rows);
}

/** Throws where the driver has no such method. */
export function methodOf({ driver }: Subject, { method: wanted }: SampleRead): Method {
  const method = driver.methods.find(({ name }) => name === wanted);
  requireThat(
    method?.kind === 'rows',
    `The sample reads with "${wanted}", which is no method of the kind "rows"`,
  );
  return method;
}
