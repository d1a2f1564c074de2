import type { WriteRequest } from '../../driver.ts';
import type { MysqlTable, TableName } from '../introspect.ts';
import type { CellRules } from './cell-text.ts';
import type { PutWay } from './put-rows.ts';

/** What a load does, and with what. */
export interface LoadPlan {
  readonly request: WriteRequest;
  readonly name: TableName;
  /** null where it is not there yet. */
  readonly target: MysqlTable | null;
  readonly way: PutWay;
  readonly rules: CellRules;
}
