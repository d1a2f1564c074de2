import { randomBytes } from 'node:crypto';
import { ObjectId } from 'mongodb';

const PREFIX_BYTES = 9;
const COUNT_MAX = 0xff_ff_ff;

/**
 * Ids for the documents of one load: an ObjectId begins with the time and a random value (MongoDB manual, "ObjectId"), and here with ones
 * that no other load has. So the documents of a load are one range of the index on `_id`, and can be deleted without a list of them.
 */
export class LoadIds {
  #bytes = Buffer.alloc(0);
  #count = COUNT_MAX;

  /** Whether the next `count` ids need a new prefix, which must be noted before the first of them is used. */
  isSpentBy(count: number): boolean {
    return this.#count + count > COUNT_MAX;
  }

  /** Begins a new range; gives its prefix, in hexadecimal digits. */
  begin(now: number): string {
    this.#bytes = Buffer.alloc(PREFIX_BYTES + 3);
    this.#bytes.writeUInt32BE(Math.floor(now / 1_000));
    randomBytes(PREFIX_BYTES - 4).copy(this.#bytes, 4);
    this.#count = 0;
    return this.#bytes.subarray(0, PREFIX_BYTES).toString('hex');
  }

  next(): ObjectId {
    const bytes = Buffer.from(this.#bytes);
    bytes.writeUIntBE(this.#count, PREFIX_BYTES, 3);
    this.#count += 1;
    return new ObjectId(bytes);
  }
}

/** All ids with a prefix, as a filter. */
export function idsWith(prefix: string): {
  readonly _id: { readonly $gte: ObjectId; readonly $lte: ObjectId };
} {
  return { _id: { $gte: new ObjectId(`${prefix}000000`), $lte: new ObjectId(`${prefix}ffffff`) } };
}
