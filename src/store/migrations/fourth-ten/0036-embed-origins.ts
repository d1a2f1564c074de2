import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** Which sites may show a shared dashboard in a frame. */
export const addEmbedOrigins: Migrate = (db, dialect) =>
  executeAll(db, dialect, [`alter table dashboards add column share_embed_origins text`]);
