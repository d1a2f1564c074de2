import type { ClientSession, Collection } from 'mongodb';

type Fields = Readonly<Record<string, unknown>>;

/** Null and empty lists, which FerretDB leaves out of what `$setOnInsert` adds. */
function nothingsOf(fields: Fields, key: readonly string[]): Fields {
  const isNothing = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => isNothing(value) && name !== '_id' && !key.includes(name),
    ),
  );
}

/** Gives documents that an upsert has just added, by the places of their rows, the fields that the server left out. */
export async function setIgnored(
  collection: Collection,
  { fields, key }: { readonly fields: readonly Fields[]; readonly key: readonly string[] },
  added: Readonly<Record<number, unknown>>,
  session: ClientSession | undefined,
): Promise<void> {
  const lacking = Object.entries(added)
    .map(([index, id]) => ({
      filter: { _id: id as never },
      set: nothingsOf(fields[Number(index)] ?? {}, key),
    }))
    .filter(({ set }) => Object.keys(set).length > 0);
  const [first] = lacking;
  if (first === undefined) return;
  const options = session === undefined ? {} : { session };
  const kept = Object.keys(first.set).map((name) => ({ [name]: { $exists: true } }));
  if ((await collection.findOne({ $and: [first.filter, ...kept] }, options)) !== null) return;
  const updates = lacking.map(({ filter, set }) => ({ updateOne: { filter, update: { $set: set } } }));
  await collection.bulkWrite(updates, { ordered: false, ...options });
}
