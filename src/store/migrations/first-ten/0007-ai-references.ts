import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** Reference texts for the model that writes tasks. */
export const addAiReferences: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `create table ai_references (
      id $id, name text not null unique, description text, content text not null, tags_json text not null,
      enabled integer not null, version bigint not null default 1, created_at bigint not null,
      updated_at bigint not null, updated_by text)`,
  ]);
