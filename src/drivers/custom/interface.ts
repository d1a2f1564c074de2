/** What a driver of one's own is written against: `headgate/driver`. Types alone, so that it needs nothing of the program to run. */
import type { z } from 'zod';
import type {
  AbsentResourceError,
  Batch,
  ConnectContext,
  Connection,
  ConnectorError,
  ConnectorFault,
  Driver,
  ReadRequest,
  Row,
} from '../driver.ts';
import type { pageRows } from '../files/page-rows.ts';
import type { parseInput } from '../files/parse-input.ts';

export type {
  Batch,
  Column,
  ColumnType,
  Connection,
  ConnectorFault,
  Method,
  Page,
  PageRequest,
  ReadRequest,
  Resource,
  Row,
  WriteMode,
  WriteRequest,
  Writer,
} from '../driver.ts';

/** Grows with each change that a driver of before would not survive. */
export type DriverInterfaceVersion = 1;

/** What the program gives to a driver: its own classes and its own `zod`, so that both sides mean the same by them. */
export interface DriverKit {
  readonly z: typeof z;
  readonly ConnectorError: typeof ConnectorError;
  readonly AbsentResourceError: typeof AbsentResourceError;
  /** Parses with a schema, or throws the `CONFIG` error that names the wrong key. */
  readonly parseInput: typeof parseInput;
  /** A page with filter, search and sort from a function that reads all rows, for sources that have none of it. */
  readonly pageRows: typeof pageRows;
}

/** What a driver of one's own knows of where it runs. */
export type DriverContext = Pick<ConnectContext, 'fileRoots' | 'forbiddenFiles' | 'connectTimeoutMs'>;

/** See `Driver`; `resources` and `columns` are added to its methods where it can introspect. */
export interface CustomDriver extends Omit<Driver, 'connect'> {
  connect(config: unknown, context: DriverContext): Promise<Connection>;
}

/** A call that gives rows. */
export type SampleRead = Pick<ReadRequest, 'method' | 'args'>;

/** How the conformance suite tries a load. */
export interface SampleWrite {
  /** What is written to; it need not be there. */
  readonly object: string;
  /** Reads everything in it, through the driver or, where that reads nothing, by itself. */
  readonly read: SampleRead | (() => Promise<Row[]>);
  /** Rows that differ in `key`; by default `{id, name}` with the key `id`. */
  readonly rows?: readonly [Row, Row, ...Row[]];
  readonly columns?: Batch['columns'];
  readonly key?: readonly string[];
  /** Makes the target empty, before each mode; needed where there are several. */
  readonly empty?: () => Promise<unknown>;
  /** A row of the same columns that the target must refuse with a `DATA` error. */
  readonly refused?: Row;
  /** For the mode `scd2`: what it writes to, which is not there, and how that is read. */
  readonly versions?: Pick<SampleWrite, 'object' | 'read'>;
}

/** A configuration that fits the schema and leads nowhere. */
export interface WrongConfig {
  readonly config: Row;
  /** That of the error with which `connect` or `test` ends. */
  readonly fault: ConnectorFault;
  /** What its message tells. */
  readonly says: RegExp;
}

/** What the conformance suite works with: a source of at least three rows, and where the driver writes, a target. */
export interface DriverSample {
  readonly config: Row;
  /** Left out by a driver that only writes. */
  readonly read?: SampleRead;
  readonly write?: SampleWrite;
  /** Left out: the suite does not look at wrong ones that fit the schema. */
  readonly wrong?: readonly WrongConfig[];
  /** Removes what was set up. */
  readonly close?: () => Promise<void>;
}

/** The default export of a driver's file or package. */
export interface DriverModule {
  readonly interfaceVersion: DriverInterfaceVersion;
  create(kit: DriverKit): CustomDriver;
  /** Sets up what `headgate driver test` reads and writes, in an empty folder that file connectors may use. */
  sample?(folder: string): Promise<DriverSample> | DriverSample;
}
