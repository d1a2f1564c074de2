import type { Collection } from 'mongodb';
import { refusalsOf } from './row-fault.ts';

type Document = Record<string, unknown>;

/** Adds all documents, which have their `_id`, or none of them: where some are refused, the others are taken back. */
export async function insertAll(collection: Collection, documents: readonly Document[]): Promise<void> {
  try {
    await collection.insertMany(documents as Document[], { ordered: false });
  } catch (error) {
    const refused = new Set(refusalsOf(error).map(({ index }) => index));
    if (refused.size > 0) {
      const ids = documents.filter((_, index) => !refused.has(index)).map(({ _id: id }) => id);
      await collection.deleteMany({ _id: { $in: ids as never[] } });
    }
    throw error;
  }
}
