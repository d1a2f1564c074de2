import type { Cipher } from '../../base/cipher.ts';
import type { Clock } from '../../base/clock.ts';
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
}

export interface KeyRotationDeps {
  readonly store: Store;
  /** With every older key that may still be needed. */
  readonly cipher: Cipher;
  readonly clock: Clock;
}

/**
 * Encrypts every stored secret with the current key, column after column in transactions of 100 rows. A row is replaced only where
 * it is as it was read, so servers may keep running; an interrupted rotation is run again, and skips what is done. The values, versions
 * and times of change of the rows stay. Throws `INTERNAL_ERROR` where a ciphertext fits no key.
 */
export async function rotateSecrets(deps: KeyRotationDeps): Promise<readonly RotatedColumn[]> {
  const results: RotatedColumn[] = [];
  for (const column of SEALED_COLUMNS) results.push(await rotateColumn(column, deps));
  return results;
}

async function rotateColumn(column: SealedColumn, deps: KeyRotationDeps): Promise<RotatedColumn> {
  let rotated = 0;
  let current = 0;
  let left = 0;
  for (let pass = 1; pass <= PASSES_MAX; pass++) {
    const counts = await passOver(column, deps);
    rotated += counts.rotated;
    left = counts.left;
    if (pass === 1) current = counts.current;
    if (left === 0) break;
  }
  return { table: column.table, column: column.column, rotated, current, left };
}

async function passOver(column: SealedColumn, { store, cipher, clock }: KeyRotationDeps) {
  const counts = { rotated: 0, current: 0, left: 0 };
  for (let after: number | string | null = null; ; ) {
    const rows: SealedRow[] = await selectSealed(store.read, column, after, BATCH_ROWS);
    const changes = rows.flatMap((row) => {
      const sealed = resealed(column, row, cipher);
      return sealed === row.sealed ? [] : [{ row, sealed }];
    });
    const written = changes.length === 0 ? 0 : await writeBatch(column, changes, store, clock);
    counts.rotated += written;
    counts.left += changes.length - written;
    counts.current += rows.length - changes.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH_ROWS) return counts;
    after = last.key;
  }
}

async function writeBatch(
  column: SealedColumn,
  changes: readonly { readonly row: SealedRow; readonly sealed: string }[],
  store: Store,
  clock: Clock,
): Promise<number> {
  return store.write(async (tx) => {
    let written = 0;
    for (const { row, sealed } of changes) if (await updateSealed(tx, column, row, sealed)) written += 1;
    const diff = { column: column.column, rows: written };
    const entry = { action: 'encryption_key.rotate', resourceType: column.table, resourceId: null, diff };
    if (written > 0) await insertAudit(tx, cliActor, entry, clock.now());
    return written;
  });
}

/** The same text where the current key has sealed all of it. */
function resealed(column: SealedColumn, { key, sealed }: SealedRow, cipher: Cipher): string {
  const reseal = (text: string, secret: string) => {
    if (cipher.isCurrent(text)) return text;
    const context = column.contextOf(key, secret);
    return cipher.encrypt(cipher.decrypt(text, context), context);
  };
  switch (column.form) {
    case 'value':
      return reseal(sealed, '');
    case 'map': {
      const map = JSON.parse(sealed) as Ciphertexts;
      return isCurrent(map, cipher) ? sealed : JSON.stringify(mapped(map, reseal));
    }
    case 'secrets': {
      const whole = JSON.parse(sealed) as { readonly secrets: Ciphertexts };
      if (isCurrent(whole.secrets, cipher)) return sealed;
      return JSON.stringify({ ...whole, secrets: mapped(whole.secrets, reseal) });
    }
    default:
      return column.form satisfies never;
  }
}

type Ciphertexts = Readonly<Record<string, string>>;

function isCurrent(map: Ciphertexts, cipher: Cipher): boolean {
  return Object.values(map).every((text) => cipher.isCurrent(text));
}

function mapped(map: Ciphertexts, reseal: (text: string, secret: string) => string): Ciphertexts {
  return Object.fromEntries(Object.entries(map).map(([secret, text]) => [secret, reseal(text, secret)]));
}
