import type { WriteRequest } from '../driver.ts';
import { requireKeyOfMode } from '../sql/load/load-key.ts';
import { cancelled } from '../sql/session-turns.ts';
import { tableNameOf } from './introspect.ts';
import { findMark } from './load/load-marks.ts';
import { postgresFault } from './postgres-fault.ts';
import type { SessionPool } from './session-pool.ts';
import { PostgresWriter } from './write.ts';

/** Opens a session for the load; it takes no lock before the first batch. */
export async function openPostgresWriter(
  pool: SessionPool,
  schema: string,
  request: WriteRequest,
): Promise<PostgresWriter> {
  requireKeyOfMode(request);
  const name = tableNameOf(request.object, schema);
  const session = await pool.open(request.signal);
  try {
    const done = request.mode === 'append' ? await findMark(session.client, request.loadId, name) : null;
    return new PostgresWriter(session, request, name, done);
  } catch (error) {
    session.release(true);
    throw request.signal.aborted ? cancelled(error) : postgresFault(error, 'read');
  }
}
