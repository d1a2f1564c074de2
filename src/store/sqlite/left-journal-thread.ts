/** A thread that moves as much of a journal into its file as nobody reads, and ends. Others may read and write meanwhile. */
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { moveUnreadJournal } from '../../base/files/sqlite-upkeep.ts';
import type { LeftJournal } from './left-journal.ts';

const { path } = workerData as LeftJournal;
const database = new DatabaseSync(path);
moveUnreadJournal(database);
database.close();
