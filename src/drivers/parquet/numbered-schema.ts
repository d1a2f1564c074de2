import type { FileMetaData, SchemaElement, SchemaTree } from 'hyparquet';

/** The name of a column in a numbered schema. */
export function columnName(index: number): string {
  return `c${index}`;
}

/** The name of a field inside a column, among its siblings. */
export function fieldName(index: number): string {
  return `f${index}`;
}

/** Its value says of what type it is; the decoder knows its fields by their names. */
export function isVariant({ element }: SchemaTree): boolean {
  return element.logical_type?.type === 'VARIANT';
}

/** Without what says how values are meant, so that they are decoded as they are stored. */
export function bare(element: SchemaElement): SchemaElement {
  const { converted_type: _converted, logical_type: logical, ...rest } = element;
  return logical?.type === 'FLOAT16' ? { ...rest, logical_type: logical } : rest;
}

/**
 * What the decoder is given in place of the file's own schema: fields are known by their numbers, so that no name collides with another,
 * with a path or with a property of objects; groups are records, and leaves as they are stored.
 */
export function numberedSchema(metadata: FileMetaData, fields: readonly SchemaTree[]): FileMetaData {
  const [root] = metadata.schema;
  if (root === undefined) throw new RangeError('it has no schema');
  const schema: SchemaElement[] = [root];
  const leaves: string[][] = [];
  const add = (field: SchemaTree, number: string, path: readonly string[], isOwn: boolean) => {
    const { element, children } = field;
    const name = isOwn ? element.name : number;
    const keeps = isOwn || isVariant(field);
    schema.push({ ...(keeps ? element : bare(element)), name });
    const own = [...path, name];
    if (children.length === 0) leaves.push(own);
    for (const [at, child] of children.entries()) add(child, fieldName(at), own, keeps);
  };
  for (const [index, field] of fields.entries()) add(field, columnName(index), [], false);
  return {
    ...metadata,
    schema,
    row_groups: metadata.row_groups.map((group) => {
      if (group.columns.length !== leaves.length) throw new RangeError('a row group lacks columns');
      const columns = group.columns.map((chunk, at) => ({
        ...chunk,
        ...(chunk.meta_data && {
          meta_data: { ...chunk.meta_data, path_in_schema: leaves[at] ?? [] },
        }),
      }));
      return { ...group, columns };
    }),
  };
}
