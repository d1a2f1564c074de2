import type { z } from 'zod';
import type { OutboundAccess } from '../base/outbound/outbound-policy.ts';
import type { RowOrigin } from '../base/run-report.ts';
import type { MethodKind } from '../language/connector-types.ts';
import { CAST_TYPES } from '../language/task/cast/cast-type.ts';
import type { MethodCursor } from '../language/task/method-cursor.ts';
import type { ScriptAccess } from '../language/task/steps/script/script-access.ts';
import type { DriverFile } from './custom/driver-file.ts';
import type { Digesting } from './digest/digest.ts';
import type { DescribeOptions, DriverCapabilities, WriteMode } from './driver-capabilities.ts';
import type { EngineFile, FileTaker, RowsCopy } from './engine-file.ts';
import type { FoundFile } from './files/storage/found-file.ts';
import type { AccountsPage, AccountsRequest, Catalogue, CatalogueRequest, OauthApps } from './integration.ts';
import type { Committed, MissingRows, PartedLoad, PartsRequest, Versions } from './load-request.ts';
import type { Plugin } from './plugins/plugin.ts';
import type { SourceLog, SourceState } from './plugins/source-state.ts';
import type { MethodScope } from './scope/method-scope.ts';
import type { DeclaredType } from './types/declared-type.ts';
import type { TypeWidening, WiderColumn } from './types/type-bounds.ts';
import type { SharedResource } from './uses/shared-resource.ts';
import type { Lossy } from './values/holding.ts';

/** Common column types. Integers beyond 2^53 and decimals travel as strings; times as RFC 3339 text. */
export const COLUMN_TYPES = [...CAST_TYPES, 'unknown'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  /** The engine's own name of the type, such as `numeric(10,2)`. */
  readonly native_type?: string;
  /** Part of the primary key. */
  readonly key?: boolean;
  /** What the source declares beyond the common type; absent where it declares nothing, and of values that a step has computed. */
  readonly declared?: DeclaredType;
}

export type Row = Record<string, unknown>;

/** Where the row at this place of a batch comes from; asked for rows that fail. */
export type OriginOf = (index: number) => RowOrigin;

/**
 * Rows that move together. All rows of a batch have the same shape; `columns` names it in order. A value that is `undefined` is absent,
 * as a key that a record lacks, and not null: a target keeps what it has there.
 */
export interface Batch {
  readonly columns: readonly Column[];
  readonly rows: Row[];
  /** Absent where the source has no places of its own, such as lines. */
  readonly originOf?: OriginOf | undefined;
}

/** A table, collection, file or entity of a connector. */
export interface Resource {
  readonly name: string;
  readonly type: string;
}

export interface Method {
  readonly name: string;
  readonly summary: string;
  /** `rows` through `Connection.read`, the others through `call`. */
  readonly kind: MethodKind;
  /** Strict schema of the arguments; the driver parses with it before it does anything. */
  readonly args: z.ZodType;
  /** How a dashboard's scope limits a call; a method that reads and has none refuses to run under a scope. */
  readonly scope?: MethodScope;
  /** For `rows`: how an incremental extract limits a call. Default: the arguments must read `state.cursor`. */
  readonly cursor?: MethodCursor;
  /**
   * For `rows`: the resource that a call reads, so that it can be had page by page through `Connection.page`. Left out, or null for
   * these arguments, where only the call as a whole gives its rows. Takes arguments that fit `args`.
   */
  readonly pageOf?: (args: unknown) => ResourceView | null;
  /** For `rows`: records of the source may be malformed, and each is told by itself (`ReadRequest.onMalformed`). */
  readonly tellsMalformed?: boolean;
}

/**
 * Conditions per column, all of which hold: equality, or operators: `{city: 'Bonn', age: {gte: 18}}`. Operators: `eq ne gt gte lt lte in
 * contains is_null`, and `and`, a list of further conditions on the same column; `or_null` holds a condition that a row may also meet by
 * having no value, or none that compares.
 */
export type Conditions = Readonly<Record<string, unknown>>;

/** What of a resource is read, apart from the page. */
export interface ResourceView {
  /** Its name; empty for the only one of a connector that holds one file. */
  readonly resource: string;
  readonly columns?: readonly string[];
  readonly filter?: Conditions;
  readonly sort?: readonly string[];
}

/** A record of a source that cannot become a row. */
export interface MalformedRecord {
  /** As it is in the source, without what separates it from the next; bytes where it is no text. */
  readonly raw: string | Uint8Array;
  /** `DATA`: where it is, and what is wrong with it. */
  readonly error: ConnectorError;
  readonly origin: RowOrigin;
  /** It stands for rows that were not read, so that no cursor may go beyond them. */
  readonly hidesRows?: boolean;
}

export interface ReadRequest {
  readonly method: string;
  readonly args: unknown;
  readonly signal: AbortSignal;
  /** Proven read-only execution (dashboards, options, explorer, preview): see each driver. Default true. */
  readonly readOnly?: boolean;
  /** Stop after this many rows. */
  readonly limit?: number;
  /** Rows in a batch, default 1,000; the last batch may be shorter. */
  readonly batchRows?: number;
  /** A batch ends early once its rows hold about so much, by `charsOf`; default and most: `ROW_LIMITS.batchCharsMax`. The engine cuts larger ones. */
  readonly batchBytes?: number | undefined;
  /**
   * Told of each malformed record after the rows before it; it counts as a row of its batch, which may then be empty. It may throw,
   * which ends the read. Absent: the first such record ends the read.
   */
  readonly onMalformed?: ((record: MalformedRecord) => void) | undefined;
  /** Of a method over files: reads these, which `filesOf` gave, instead of looking for them. */
  readonly files?: readonly FoundFile[] | undefined;
  /** Of a method whose cursor is of the kind `state`: reads what is new since it. Absent: reads everything. */
  readonly state?: SourceState | undefined;
  /** Takes lines that the source logs, without secrets. */
  readonly log?: SourceLog | undefined;
}

/** One page of a resource for the explorer: keyset where the engine can, else offset, inside the opaque cursor. */
export interface PageRequest extends ResourceView {
  /** Further conditions: a row must match `filter` and each of these, whichever columns they name. */
  readonly where?: readonly Conditions[];
  /** Rows in which one of the columns, as text, contains `text`, whatever its case. Bounds: see `page-search.ts`. */
  readonly search?: { readonly text: string; readonly columns: readonly string[] };
  /** `name` ascending, `-name` descending. */
  readonly sort?: readonly string[];
  readonly limit: number;
  readonly cursor?: string;
  readonly signal: AbortSignal;
}

export interface Page {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly next_cursor: string | null;
}

export type { WriteMode };

export interface WriteRequest {
  /** Table, file or entity, as the user wrote it (`public.contacts`). */
  readonly object: string;
  readonly mode: WriteMode;
  /** Key columns of `KEYED_MODES`; empty for the others. */
  readonly key: readonly string[];
  /**
   * Names this load across attempts of one run step. `append` records it with the rows in one transaction, so that the
   * retry of an attempt that committed and then died writes nothing twice.
   */
  readonly loadId: string;
  /** `replace` and `truncate_insert` with no rows at all keep the old rows unless this is true. */
  readonly allowEmpty: boolean;
  /** Of `scd2`, and only of it. */
  readonly versions?: Versions | null;
  /** Of `KEYED_MODES` that add or change rows; acts where `commit` is told that all rows have come. Default: the rows stay. */
  readonly missing?: MissingRows | null;
  /**
   * Rows that fail are left out of the load: what keeps a row from the target should be met by the `write` that brings it, and not
   * by `commit`, even where that costs time. Default false.
   */
  readonly rowsMayFail?: boolean;
  /** Columns that differ from attempt to attempt, such as the time of the load. Default: none. */
  readonly auditColumns?: readonly string[];
  /** No batch brings a column that those before it lack. Default false. */
  readonly columnsAreFixed?: boolean;
  /** Columns whose values may lose what the target has no place for, by the name that the rows give them; counted in `Committed.lossy`. */
  readonly lossy?: ReadonlyMap<string, Lossy>;
  /** Takes lines that the target logs, without secrets. */
  readonly log?: SourceLog | undefined;
  readonly signal: AbortSignal;
}

/** A row that a target refused, by its place in the batch; the error is `DATA`. */
export interface RefusedRow {
  readonly index: number;
  readonly error: ConnectorError;
}

/**
 * One load. Nothing is visible to readers of the target before `commit`, except in files' staging names. After `abort`,
 * or a death of the process, the target is as it was, unless it has no transactions (`capabilities.keepsWhatWasSent`).
 */
export interface Writer extends FileTaker {
  /** True when an earlier attempt with this `loadId` has committed: the caller writes nothing and ends. */
  readonly alreadyDone: { readonly rows: number } | null;
  /** Where no other load can write until this one ends, however many connectors lead there; absent where others can. */
  readonly lockedPlace?: string | null;
  /** All rows of the batch or, when it throws, none of them; the writer stays usable after a `DATA` ConnectorError. */
  write(batch: Batch): Promise<void>;
  /**
   * Of a driver with `widening`: rows from now on may need these types; the target has them at the commit. Throws `CONFIG` where
   * something else depends on a column's type.
   */
  widen?(columns: readonly WiderColumn[]): Promise<void>;
  /** Where the target takes each row by itself: those of the last `write` that it refused. Unless `rowsMayFail`, it ended at the first. */
  refused?(): readonly RefusedRow[];
  /**
   * Makes the load visible, atomically; returns the rows that it wrote, and of those that no longer come how many went. `isComplete`:
   * every row of the source has come, so that the others are missing. Default false.
   */
  commit(isComplete?: boolean): Promise<Committed>;
  abort(): Promise<void>;
}

/** An open connector. Methods reject with a `ConnectorError`; every wait ends when its signal aborts. */
export interface Connection extends Digesting {
  /** A cheap round trip; resolves with a short line for people such as `PostgreSQL 18.4`. */
  test(signal: AbortSignal): Promise<string>;
  listResources(signal: AbortSignal): Promise<readonly Resource[]>;
  /** Of integration platforms: the customer's accounts, page by page. Absent elsewhere, as the two below. */
  accounts?(request: AccountsRequest, signal: AbortSignal): Promise<AccountsPage>;
  /** Replaces `listResources` where the list depends on more, or a fixed list may be used instead. */
  catalogue?(request: CatalogueRequest, signal: AbortSignal): Promise<Catalogue>;
  readonly oauthApp?: OauthApps;
  describe(resource: string, signal: AbortSignal, options?: DescribeOptions): Promise<readonly Column[]>;
  read(request: ReadRequest): AsyncIterable<Batch>;
  /** The file that a `read` would read, where it is so plain that an engine reads the same rows from it; else null. So `rowsCopy`. */
  engineFile?(request: Pick<ReadRequest, 'method' | 'args' | 'limit' | 'signal'>): Promise<EngineFile | null>;
  rowsCopy?(request: ReadRequest): Promise<RowsCopy | null>;
  /**
   * Of methods over files (`Method.cursor.files`): those that a `read` with these arguments would open, sorted by name. Throws `CONFIG`
   * where the arguments name no pattern.
   */
  filesOf?(request: Pick<ReadRequest, 'method' | 'args' | 'signal'>): Promise<readonly FoundFile[]>;
  page(request: PageRequest): Promise<Page>;
  call(method: string, args: unknown, signal: AbortSignal): Promise<unknown>;
  openWriter(request: WriteRequest): Promise<Writer>;
  /** Absent where parts cannot be published together. */
  openParts?(request: PartsRequest): Promise<PartedLoad<Writer, Committed>>;
  close(): Promise<void>;
}

export interface ConnectContext {
  /** File connectors stay inside these folders (real paths); empty means none is allowed. */
  readonly fileRoots: readonly string[];
  /** Files and folders that no connector may open, under any name: the server's own stores, keys, settings and spools. */
  readonly forbiddenFiles: readonly string[];
  /** Longest wait for a connection, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** Where connectors that take a URL may connect, as `outboundRules` reads it; absent: nowhere. */
  readonly outbound?: OutboundAccess;
  /** What `script` steps may use; absent: they may not run. */
  readonly scripts?: ScriptAccess | undefined;
  /** Programs that connectors may start by their names; absent: none. */
  readonly plugins?: readonly Plugin[] | undefined;
  /** Drivers of the operator's own; absent: none. */
  readonly drivers?: readonly DriverFile[] | undefined;
  /** What the connections of this connector share; absent: each has its own. */
  readonly shared?: SharedResource;
  /** What one query may use, in MB; absent: what the engine has by default. */
  readonly sql?: { readonly memoryMb: number; readonly diskMb: number };
}

/** The code of one connector type. Stateless: `connect` makes what holds state. */
export interface Driver {
  readonly type: string;
  readonly title: string;
  readonly capabilities: DriverCapabilities;
  /** How columns of a target get wider types; absent where they cannot. */
  readonly widening?: TypeWidening;
  /** Strict schema of the saved configuration. */
  readonly config: z.ZodType;
  /** Top-level keys of the configuration that are secret; stored encrypted, read as `********`. */
  readonly secrets: readonly string[];
  /** Keys that say where it connects: when one changes, every secret must be given again. */
  readonly hostKeys: readonly string[];
  readonly methods: readonly Method[];
  /** Loads the code that connecting takes, so that the first connection does not wait for it; the description alone is light. */
  preload?(): Promise<unknown>;
  connect(config: unknown, context: ConnectContext): Promise<Connection>;
}

/**
 * `CONFIG`: the configuration or the arguments are wrong; never retried. `AUTH`: refused credentials; never retried.
 * `DATA`: some row or value does not fit; the batch may be split. `UNAVAILABLE`: cannot be reached, overloaded, timed out;
 * retried. `TARGET`: the target failed (disk full, constraint of the whole); retried only by the run's own policy.
 */
export type ConnectorFault = 'CONFIG' | 'AUTH' | 'DATA' | 'UNAVAILABLE' | 'TARGET';

/** What every driver throws. `message` is for people: no secret, no host, no path outside what the user wrote. */
export class ConnectorError extends Error {
  readonly fault: ConnectorFault;
  /** What is known of a retry, from the other side. */
  readonly retryAfterMs: number | undefined;
  /** Of a `DATA` fault, the column of the row at fault whose value does not fit; undefined where no single one is named. */
  readonly column: string | undefined;
  /** Of an `UNAVAILABLE` fault: what was asked for may have been done and must not be done twice, so that nothing tries it again. */
  readonly isFinal: boolean;

  constructor(
    fault: ConnectorFault,
    message: string,
    options: { cause?: unknown; retryAfterMs?: number; column?: string | undefined; isFinal?: boolean } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ConnectorError';
    this.fault = fault;
    this.retryAfterMs = options.retryAfterMs;
    this.column = options.column;
    this.isFinal = options.isFinal ?? false;
  }
}

/** The named table, file or other resource is not there. */
export class AbsentResourceError extends ConnectorError {
  constructor(message: string) {
    super('CONFIG', message);
  }
}

/** What would hold the resource, such as a database file, is not there yet; a load may make it. */
export class AbsentStoreError extends ConnectorError {
  constructor(message: string) {
    super('CONFIG', message);
  }
}

export const BATCH_ROWS_DEFAULT = 1_000;
