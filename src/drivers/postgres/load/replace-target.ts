import type { ClientBase } from 'pg';
import type { WriteRequest } from '../../driver.ts';
import { findTable, type TableName } from '../introspect.ts';
import { emptyTable } from './empty-table.ts';
import type { LoadPlace } from './load-place.ts';
import { insertAll, swapStage } from './stage/swap-stage.ts';

/** Gives the rows of the stage to the target in place of its own; gives how many the target has dropped of all `rows`. */
export async function replaceTarget(
  client: ClientBase,
  { mode }: Pick<WriteRequest, 'mode'>,
  name: TableName,
  place: LoadPlace | null,
  rows: number,
): Promise<number> {
  if (place === null) {
    const target = await findTable(client, name);
    if (target !== null) await emptyTable(client, target);
    return 0;
  }
  const { target, table, given } = place;
  const taken = await swapStage(client, target, table.name, name, {
    insert: () => insertAll(client, name, table.name, [...given]),
    mayRename: mode === 'replace',
  });
  return taken === null ? 0 : rows - taken;
}
