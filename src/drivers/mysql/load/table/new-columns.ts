import type { Column } from '../../../driver.ts';
import type { Server } from '../../session-pool.ts';
import type { DeclaredColumn } from '../../types/declared-type.ts';
import { nativeType } from '../../types/native-type.ts';
import { ownType } from '../../types/own-type.ts';

/** Of the 65,535 bytes that a row may have without its long texts, those for texts with a length of their own. */
const SHORT_TEXT_BYTES_MAX = 48_000;
const BYTES_PER_CHAR = 4;
const COLLATED = /^(.*?)(?: CHARACTER SET \w+)? COLLATE (\w+)$/is;

/** A column that a load makes. */
export interface NewColumn extends DeclaredColumn {
  readonly name: string;
  /** Its source says that it is never null. */
  readonly notNull: boolean;
}

/** Gives the columns that a load makes their types, each once: one that comes again is of the type of its first rows. */
export class NewColumns {
  readonly #server: Server;
  readonly #key: readonly string[];
  readonly #made = new Map<string, NewColumn>();
  #bytes = 0;

  constructor(server: Server, key: readonly string[]) {
    this.#server = server;
    this.#key = key;
  }

  /** All that were asked for, in this order. */
  get all(): readonly NewColumn[] {
    return [...this.#made.values()];
  }

  /** Forgets those that were asked for after so many. */
  cutTo(count: number): void {
    for (const folded of [...this.#made.keys()].slice(count)) this.#made.delete(folded);
  }

  of(column: Column): NewColumn {
    const folded = column.name.toLowerCase();
    const known = this.#made.get(folded);
    if (known !== undefined) return known;
    const isKey = this.#key.includes(column.name);
    const sql = this.#within(ownType(column, isKey, this.#server), isKey);
    const [, declared = sql, collation = null] = COLLATED.exec(sql) ?? [];
    const made = {
      name: column.name,
      declared,
      collation,
      isJson: declared === 'json',
      notNull: isKey || column.declared?.required === true,
    };
    this.#made.set(folded, made);
    return made;
  }

  /** A row of many texts has them beside it. */
  #within(declared: string, isKey: boolean): string {
    const { name, first } = nativeType(declared);
    if (name !== 'varchar' && name !== 'varbinary') return declared;
    const bytes = Number(first) * BYTES_PER_CHAR;
    if (!isKey && this.#bytes + bytes > SHORT_TEXT_BYTES_MAX)
      return declared.replace(/^\w+\(\d+\)/, name === 'varchar' ? 'longtext' : 'longblob');
    this.#bytes += bytes;
    return declared;
  }
}
