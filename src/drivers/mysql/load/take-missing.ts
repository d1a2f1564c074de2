import type { WriteRequest } from '../../driver.ts';
import { deleteMissing } from '../../sql/load/delete-missing.ts';
import { findTable, type TableName } from '../introspect.ts';
import type { Session } from '../session-pool.ts';
import { sessionOf } from './merge-stage.ts';

/** Takes away the rows of the target whose key is not in the table `seen`; gives how many. null: no row came. */
export async function takeMissing(
  session: Session,
  { request, name }: { readonly request: WriteRequest; readonly name: TableName },
  seen: string | null,
): Promise<number> {
  const { key, object, versions = null, missing } = request;
  if (!missing || (await findTable(session, name)) === null) return 0;
  return deleteMissing(sessionOf(session.client), { target: name.sql, seen, key, missing, versions, object });
}
