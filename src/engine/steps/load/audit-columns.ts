import { timestamp } from '../../../base/clock.ts';
import { sha256 } from '../../../base/ids.ts';
import { castTimestamp } from '../../../base/text/iso-time.ts';
import {
  type Batch,
  type Column,
  ConnectorError,
  type Row,
  type WriteRequest,
} from '../../../drivers/driver.ts';
import type { VersionColumns } from '../../../language/task/steps/load/load-rows.ts';
import type { LoadStep } from '../../../language/task/steps/load/load-step.ts';

/** Adds columns to every row of a load. The rows themselves stay as they are: others may read them too. */
export type Audit = (batch: Batch) => Batch;

const AS_THEY_ARE: Audit = (batch) => batch;

/** RFC 3339 in UTC with six digits of a second, so that texts compare as the moments do. `text`: RFC 3339 in UTC. */
function inMicroseconds(text: string): string {
  const [second = '', fraction = ''] = text.slice(0, -1).split('.');
  return `${second}.${fraction.slice(0, 6).padEnd(6, '0')}Z`;
}

/** The time of a load, as its target keeps it; `now` in milliseconds since 1970. */
function momentOf(now: number): string {
  return inMicroseconds(timestamp(now));
}

/** What the target keeps of rows that change or no longer come. */
export function rowsThatStay(
  { history, deleteMissing }: LoadStep,
  loadedAt: number,
): Pick<WriteRequest, 'versions' | 'missing'> {
  const { action, column, maxShare } = deleteMissing ?? {};
  return {
    versions: history === null ? null : { ...history, byLoadTime: history.asOf === null },
    missing:
      maxShare === undefined
        ? null
        : { column: action === 'soft' ? (column ?? null) : null, at: momentOf(loadedAt), maxShare },
  };
}

/** What a load adds to its rows; `loadedAt`: milliseconds since 1970. */
export function auditOf(
  { audit, history, deleteMissing, key }: Pick<LoadStep, 'audit' | 'history' | 'deleteMissing' | 'key'>,
  { runId, loadedAt }: { readonly runId: number; readonly loadedAt: number },
): Audit {
  const added: [Column, unknown][] = [];
  const add = (name: string | null, type: Column['type'], value: unknown) => {
    if (name !== null) added.push([{ name, type, nullable: true }, value]);
  };
  // A row that comes again is not missing any more.
  if (history === null && deleteMissing?.action === 'soft') add(deleteMissing.column, 'timestamp', null);
  add(audit?.runId ?? null, 'integer', runId);
  add(audit?.loadedAt ?? null, 'timestamp', timestamp(loadedAt));
  const same = sameForAll(added);
  if (history === null) return same;
  const versions = versionsOf(history, key, momentOf(loadedAt));
  return (batch) => same(versions(batch));
}

function sameForAll(added: readonly (readonly [Column, unknown])[]): Audit {
  if (added.length === 0) return AS_THEY_ARE;
  const columns = added.map(([column]) => column);
  const values = Object.fromEntries(added.map(([{ name }, value]) => [name, value]));
  return (batch) => {
    requireFree(batch, columns);
    return {
      ...batch,
      columns: [...batch.columns, ...columns],
      rows: batch.rows.map((row) => ({ ...row, ...values })),
    };
  };
}

function requireFree(batch: Batch, columns: readonly Column[]): void {
  const taken = columns.find(({ name }) => batch.columns.some((column) => column.name === name));
  if (taken === undefined) return;
  const message = `The rows already have a column "${taken.name}"; rename the audit column`;
  throw new ConnectorError('CONFIG', message);
}

/** Each row as a version: from when on it holds, and the hash of what makes it another than the one before. */
function versionsOf(history: VersionColumns, key: readonly string[], loadedAt: string): Audit {
  const { validFrom, validTo, current, hash, asOf, track } = history;
  const column = (name: string, type: Column['type']): Column => ({ name, type, nullable: true });
  const columns = [
    column(validFrom, 'timestamp'),
    column(validTo, 'timestamp'),
    column(current, 'boolean'),
    column(hash, 'string'),
  ];
  const untracked = new Set([...key, asOf]);
  return (batch) => {
    requireFree(batch, columns);
    const names = batch.columns.map(({ name }) => name);
    const missing = [...(track ?? []), ...(asOf === null ? [] : [asOf])].find(
      (name) => !names.includes(name),
    );
    if (missing !== undefined)
      throw new ConnectorError(
        'CONFIG',
        `"history" names "${missing}", which is not among the columns of the rows`,
      );
    const tracked = (track ?? names.filter((name) => !untracked.has(name))).toSorted();
    return {
      ...batch,
      columns: [...batch.columns, ...columns],
      rows: batch.rows.map((row) => ({
        ...row,
        [validFrom]: asOf === null ? loadedAt : momentIn(row, asOf),
        [validTo]: null,
        [current]: true,
        [hash]: hashOf(row, tracked),
      })),
    };
  };
}

function momentIn(row: Row, column: string): string {
  const value = row[column];
  const text = value instanceof Date ? value.toISOString() : value;
  const moment = typeof text === 'string' ? castTimestamp(text) : null;
  if (moment !== null) return inMicroseconds(moment);
  const message = `"${column}" says from when on the row holds, so it must be a date or a time, not ${JSON.stringify(value ?? null)}`;
  throw new ConnectorError('DATA', message, { column });
}

/** Columns without a value do not count: one that a source adds makes no versions of rows that have none in it. */
function hashOf(row: Row, tracked: readonly string[]): string {
  const parts: unknown[] = [];
  for (const name of tracked) {
    const value = row[name];
    if (value === null || value === undefined) continue;
    // A number and its text are the same value, as a file and a database give it.
    parts.push(name, typeof value === 'object' ? value : String(value));
  }
  return sha256(JSON.stringify(parts));
}
