import type { LoadStep } from '../language/task/steps/load/load-step.ts';
import type { FileTaking } from './engine-file.ts';

/** The modes of a load that drivers know. */
export type WriteMode = LoadStep['mode'];

/** How columns of a resource are asked for: the delimiter of a file, the account of an integration platform. */
export interface DescribeOptions {
  readonly delimiter?: string;
  readonly accountId?: string;
}

/** What a driver can do. */
export interface DriverCapabilities extends FileTaking {
  /** Empty: `openWriter` always rejects. */
  readonly write: readonly WriteMode[];
  readonly introspect: boolean;
  /** A load of a connector waits for another to end, so that two of them cannot take turns. */
  readonly oneLoadAtOnce?: boolean;
  /** Names of columns that differ in case alone are the same. */
  readonly foldsNames?: boolean;
  /** Rows that a load writes at once where its step names no size, instead of `BATCH_ROWS_DEFAULT`. */
  readonly writeBatchRows?: number;
  /** All batches of a read have the columns of the first one. */
  readonly fixedColumns?: boolean;
  readonly deletesMissing?: boolean;
  /** Columns of a target have types of their own. */
  readonly typedColumns?: boolean;
  /** Modes in which `Connection.openParts` publishes parts together. */
  readonly parts?: readonly WriteMode[];
  /** Another executor reaches the same data with the same configuration; `by_path`: unless its `path` is one of the machine. */
  readonly anywhere?: boolean | 'by_path';
  /** Modes in which rows of a load that is given up stay; true: all of them. */
  readonly keepsWhatWasSent?: boolean | readonly WriteMode[];
  /** Modes in which readers of the target see rows before the load's commit, which are taken back when it is given up. */
  readonly showsWhatWasSent?: readonly WriteMode[];
}

/** Whether rows of a load in this mode stay when it is given up. */
export function keepsRows({ keepsWhatWasSent = false }: DriverCapabilities, mode: WriteMode): boolean {
  return keepsWhatWasSent === true || (keepsWhatWasSent !== false && keepsWhatWasSent.includes(mode));
}
