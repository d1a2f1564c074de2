/** A thread that moves as much of a journal into its file as nobody reads, and ends. Others may read and write meanwhile. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { moveUnreadJournal } from '../../base/files/sqlite-upkeep.ts';
import type { LargeJournal } from './large-journal.ts';

const { path } = workerData as LargeJournal;
const database = new DatabaseSync(path);
const isWhole = moveUnreadJournal(database);
database.close();
parentPort?.postMessage(isWhole);
