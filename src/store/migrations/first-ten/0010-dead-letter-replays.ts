import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** Replays of dead letters: their runs, and the outcome of each letter. */
export const addDeadLetterReplays: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `alter table runs add column replay_step text`,
    `alter table runs add column replay_letters bigint`,
    `alter table dead_letters add column replay_run_id bigint`,
    `alter table dead_letters add column replay_item_json text`,
    `alter table dead_letters add column replay_of bigint`,
    `create index dead_letters_replay on dead_letters (replay_run_id, id) where replay_run_id is not null`,
  ]);
