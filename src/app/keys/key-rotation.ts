import type { Cipher } from '../../base/cipher.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { cliActor } from '../../modules/audit/audit.ts';
import { insertAudit } from '../../modules/audit/audit-store.ts';
import type { Store } from '../../store/store.ts';
import { type SealedRow, selectSealed, updateSealed } from './sealed-column-store.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';

/** Rows of one transaction: a server on the same store waits for no longer than these take. */
const BATCH_ROWS = 100;
/** A row that is changed while it is re-encrypted is taken again in the next pass. */
const PASSES_MAX = 5;

/** What became of one column. */
export interface RotatedColumn {
  readonly table: string;
  readonly column: string;
  /** Rows that were encrypted with the current key by this rotation. */
  readonly rotated: number;
  /** Rows that had it already. */
  readonly current: number;
  /** Rows that still need an older key: they were changed again and again meanwhile. */
  readonly left: number;
  /** Rows that lost secrets which no key of the cipher reads. */
  readonly discarded: number;
}

export interface KeyRotationDeps {
  readonly store: Store;
  /** With every older key that may still be needed. */
  readonly cipher: Cipher;
  readonly clock: Clock;
  /** Removes what no key of the cipher reads, instead of failing: for a master key that is lost. Default: false. */
  readonly discardUnreadable?: boolean;
}

/**
 * Encrypts every stored secret with the current key, column after column in transactions of 100 rows. A row is replaced only where
 * it is as it was read, so servers may keep running; an interrupted rotation is run again, and skips what is done. The values, versions
 * and times of change of the rows stay. Throws `INTERNAL_ERROR` where a ciphertext fits no key, unless
 * those are discarded.
 */
export async function rotateSecrets(deps: KeyRotationDeps): Promise<readonly RotatedColumn[]> {
  const results: RotatedColumn[] = [];
  for (const column of SEALED_COLUMNS) results.push(await rotateColumn(column, deps));
  return results;
}

/** Rows with secrets that no key of the cipher reads. Changes nothing. */
export async function countUnreadable(deps: Pick<KeyRotationDeps, 'store' | 'cipher'>): Promise<number> {
  let count = 0;
  for (const column of SEALED_COLUMNS)
    for await (const rows of batchesOf(deps.store, column))
      for (const row of rows)
        if (changeOf(column, row, { ...deps, discardUnreadable: true })?.isDiscarded) count += 1;
  return count;
}

async function* batchesOf({ read }: Store, column: SealedColumn): AsyncGenerator<readonly SealedRow[]> {
  for (let after: number | string | null = null; ; ) {
    const rows: readonly SealedRow[] = await selectSealed(read, column, after, BATCH_ROWS);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH_ROWS) return;
    after = last.key;
  }
}

async function rotateColumn(column: SealedColumn, deps: KeyRotationDeps): Promise<RotatedColumn> {
  let rotated = 0;
  let current = 0;
  let left = 0;
  let discarded = 0;
  for (let pass = 1; pass <= PASSES_MAX; pass++) {
    const counts = await passOver(column, deps);
    rotated += counts.rotated;
    discarded += counts.discarded;
    left = counts.left;
    if (pass === 1) current = counts.current;
    if (left === 0) break;
  }
  return { table: column.table, column: column.column, rotated, current, left, discarded };
}

async function passOver(column: SealedColumn, deps: KeyRotationDeps) {
  const counts = { rotated: 0, current: 0, left: 0, discarded: 0 };
  for await (const rows of batchesOf(deps.store, column)) {
    const changes = rows.map((row) => changeOf(column, row, deps)).filter((change) => change !== null);
    const written = await writeBatch(column, changes, deps);
    counts.rotated += written.rotated;
    counts.discarded += written.discarded;
    counts.left += changes.length - written.rotated - written.discarded;
    counts.current += rows.length - changes.length;
  }
  return counts;
}

interface Change {
  readonly row: SealedRow;
  /** Null: nothing of it can be read. */
  readonly sealed: string | null;
  readonly isDiscarded: boolean;
}

async function writeBatch(
  column: SealedColumn,
  changes: readonly Change[],
  { store, clock }: Pick<KeyRotationDeps, 'store' | 'clock'>,
): Promise<{ readonly rotated: number; readonly discarded: number }> {
  if (changes.length === 0) return { rotated: 0, discarded: 0 };
  return store.write(async (tx) => {
    const written = { rotated: 0, discarded: 0 };
    for (const { row, sealed, isDiscarded } of changes) {
      if (sealed === null) await column.giveUp?.(tx, Number(row.key), clock.now());
      else if (!(await updateSealed(tx, column, row, sealed))) continue;
      written[isDiscarded ? 'discarded' : 'rotated'] += 1;
    }
    for (const [what, rows] of Object.entries(written)) {
      const action = what === 'rotated' ? 'encryption_key.rotate' : 'encryption_key.discard';
      const diff = { column: column.column, rows };
      const entry = { action, resourceType: column.table, resourceId: null, diff };
      if (rows > 0) await insertAudit(tx, cliActor, entry, clock.now());
    }
    return written;
  });
}

/** Null where the current key has sealed all of it. */
function changeOf(
  column: SealedColumn,
  row: SealedRow,
  { cipher, discardUnreadable }: Pick<KeyRotationDeps, 'cipher' | 'discardUnreadable'>,
): Change | null {
  let isDiscarded = false;
  const reseal = (text: string, secret: string): string | null => {
    if (cipher.isCurrent(text)) return text;
    const context = column.contextOf(row.key, secret);
    try {
      return cipher.encrypt(cipher.decrypt(text, context), context);
    } catch (error) {
      if (!discardUnreadable || !(error instanceof AppError)) throw error;
      isDiscarded = true;
      return null;
    }
  };
  const sealed = resealed(column, row.sealed, reseal);
  return sealed === row.sealed ? null : { row, sealed, isDiscarded };
}

type Reseal = (text: string, secret: string) => string | null;

function resealed({ form }: SealedColumn, sealed: string, reseal: Reseal): string | null {
  switch (form) {
    case 'value':
      return reseal(sealed, '');
    case 'map':
      return mapped(sealed, reseal);
    case 'secrets': {
      const whole = JSON.parse(sealed) as { readonly secrets: Readonly<Record<string, string>> };
      const before = JSON.stringify(whole.secrets);
      const secrets = mapped(before, reseal);
      return secrets === before ? sealed : JSON.stringify({ ...whole, secrets: JSON.parse(secrets) });
    }
    default:
      return form satisfies never;
  }
}

/** A JSON map of secret to ciphertext, without those that are `null`; the same text where nothing changes. */
function mapped(text: string, reseal: Reseal): string {
  const before = Object.entries(JSON.parse(text) as Readonly<Record<string, string>>);
  const after = before.map(([secret, sealed]) => [secret, reseal(sealed, secret)] as const);
  if (after.every(([, sealed], index) => sealed === before[index]?.[1])) return text;
  return JSON.stringify(Object.fromEntries(after.filter(([, sealed]) => sealed !== null)));
}
