import { z } from 'zod';
import type { Method, ResourceView } from '../driver.ts';

const documentsMax = 1_000;
const stagesMax = 100;
const operationsMax = 1_000;

const document = z.record(z.string(), z.unknown());
const collection = z.string().min(1, 'Name a collection').describe('Name of the collection.');
const filter = document
  .default({})
  .describe(
    'A MongoDB filter: `{"age": {"$gte": 18}}`. Types missing in JSON as Extended JSON: `{"_id": {"$oid": "…"}}`.',
  );
const someFilter = document
  .refine((value) => Object.keys(value).length > 0, 'Give at least one condition')
  .describe(
    'The documents to change; at least one condition, to prevent changing a whole collection by accident.',
  );
const where = document
  .refine(
    (value) => !Object.keys(value).some((name) => name.startsWith('$')),
    'Operators of MongoDB go into "filter"',
  )
  .default({})
  .describe(
    'Conditions per field in addition to `filter`, as in other connectors: `{"city": "Bonn", "age": {"gte": 18}}`. Texts also match ids and times.',
  );
const values = z
  .enum(['plain', 'extended'])
  .default('plain')
  .describe(
    '`plain`: ids, times and decimals as text (default); `extended`: as Extended JSON, which keeps every type.',
  );
const columns = z
  .array(z.string().min(1))
  .optional()
  .describe('Fields to read, nested ones as `address.city`; default: all top-level fields.');
const sort = z
  .union([z.array(z.string()), z.record(z.string(), z.union([z.literal(1), z.literal(-1)]))])
  .default([])
  .describe('`["name", "-age"]` or `{"name": 1, "age": -1}`.');
const documents = z
  .array(document)
  .min(1, 'Give at least one document')
  .max(documentsMax, `Give at most ${documentsMax} documents`)
  .describe('Documents to write; Extended JSON for types missing in JSON.');

export const findOneArgs = z.strictObject({ collection, filter, where, columns, sort, values });
export const findArgs = findOneArgs.extend({
  limit: z.int().min(1).optional().describe('Maximum documents to return.'),
});
export const aggregateArgs = z.strictObject({
  collection,
  pipeline: z
    .array(document)
    .max(stagesMax, `Give at most ${stagesMax} stages`)
    .describe('MongoDB stages; those that write or run code are refused.'),
  values,
});
export const countArgs = z.strictObject({ collection, filter, where });
export const distinctArgs = z.strictObject({
  collection,
  field: z.string().min(1, 'Name a field').describe('The field whose distinct values are returned.'),
  filter,
  where,
  values,
});
export const insertManyArgs = z.strictObject({ collection, documents });
export const upsertManyArgs = z.strictObject({
  collection,
  key: z.array(z.string()).min(1, 'Name at least one field').describe('Fields that identify a document.'),
  documents,
});
export const updateManyArgs = z.strictObject({
  collection,
  filter: someFilter,
  update: z
    .union([document, z.array(document).min(1).max(stagesMax)])
    .describe('Update operators, `{"$set": {"city": "Bonn"}}`, or a list of stages.'),
});
export const deleteManyArgs = z.strictObject({ collection, filter: someFilter });
export const bulkWriteArgs = z.strictObject({
  collection,
  operations: z
    .array(document)
    .min(1, 'Give at least one operation')
    .max(operationsMax, `Give at most ${operationsMax} operations`)
    .describe(
      'MongoDB operations: `insertOne`, `updateOne`, `updateMany`, `replaceOne`, `deleteOne`, `deleteMany`.',
    ),
  ordered: z
    .boolean()
    .default(true)
    .describe('Stop at the first failure (default); false attempts all of them, in any order.'),
});

/** The collection that a `find` reads; null where pages of it would not be the same rows. */
function foundCollection(args: unknown): ResourceView | null {
  const parsed = findArgs.safeParse(args);
  if (!parsed.success || parsed.data.limit !== undefined || parsed.data.values !== 'plain') return null;
  const { collection: resource, columns: names, filter: own, where: conditions, sort: order } = parsed.data;
  return {
    resource,
    filter: { ...conditions, ...(Object.keys(own).length === 0 ? {} : { $and: [own] }) },
    sort: sortTexts(order),
    ...(names === undefined ? {} : { columns: names }),
  };
}

/** An order as other connectors write it: `name`, `-age`. */
export function sortTexts(sort: z.output<typeof findArgs>['sort']): readonly string[] {
  if (Array.isArray(sort)) return sort;
  return Object.entries(sort).map(([name, direction]) => (direction === -1 ? `-${name}` : name));
}

const scope = { kind: 'document', arg: 'filter' } as const;

export const mongodbMethods: readonly Method[] = [
  {
    name: 'find',
    summary: 'Documents of a collection, filtered and sorted',
    kind: 'rows',
    args: findArgs,
    scope,
    cursor: { kind: 'conditions', arg: 'where', sort: 'sort', limit: 'limit' },
    pageOf: foundCollection,
  },
  {
    name: 'find_one',
    summary: 'The first matching document, or null',
    kind: 'value',
    args: findOneArgs,
    scope,
  },
  {
    name: 'aggregate',
    summary: 'What a pipeline gives',
    kind: 'rows',
    args: aggregateArgs,
    scope: { kind: 'pipeline', arg: 'pipeline' },
    cursor: {
      kind: 'by_hand',
      example: 'pipeline: [{$match: {<field>: {$gt: {$date: "{{ state.cursor }}"}}}}, {$sort: {<field>: 1}}]',
    },
  },
  { name: 'count', summary: 'Number of matching documents', kind: 'value', args: countArgs, scope },
  { name: 'distinct', summary: 'The different values of a field', kind: 'value', args: distinctArgs, scope },
  { name: 'insert_many', summary: 'Adds documents', kind: 'write', args: insertManyArgs },
  {
    name: 'upsert_many',
    summary: 'Adds documents, or updates those with the same key',
    kind: 'write',
    args: upsertManyArgs,
  },
  { name: 'update_many', summary: 'Changes matching documents', kind: 'write', args: updateManyArgs },
  { name: 'delete_many', summary: 'Deletes matching documents', kind: 'write', args: deleteManyArgs },
  { name: 'bulk_write', summary: 'Several operations in one call', kind: 'write', args: bulkWriteArgs },
];
