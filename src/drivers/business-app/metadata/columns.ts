import { suggestName } from '../../../base/text/suggest-name.ts';
import { type Column, type ColumnType, ConnectorError } from '../../driver.ts';
import { type EntityModel, type StructuredType, underlyingType } from './model.ts';

const TYPES: Readonly<Record<string, ColumnType>> = {
  'Edm.Binary': 'binary',
  'Edm.Boolean': 'boolean',
  'Edm.Byte': 'integer',
  'Edm.Date': 'date',
  'Edm.DateTimeOffset': 'timestamp',
  'Edm.Decimal': 'decimal',
  'Edm.Double': 'number',
  'Edm.Duration': 'string',
  'Edm.Guid': 'string',
  'Edm.Int16': 'integer',
  'Edm.Int32': 'integer',
  'Edm.Int64': 'integer',
  'Edm.SByte': 'integer',
  'Edm.Single': 'number',
  'Edm.String': 'string',
  'Edm.TimeOfDay': 'time',
};

/** The arguments name an entity that the service does not have; no record that is missing can be the reason. */
export class UnknownEntityError extends ConnectorError {
  constructor(message: string) {
    super('CONFIG', message);
  }
}

/** The type of an entity set or a singleton. Throws `UnknownEntityError` with names that are like it. */
export function entityType(model: EntityModel, entity: string): StructuredType {
  const set = model.sets.get(entity);
  const type = set === undefined ? undefined : model.types.get(set.type);
  if (type !== undefined) return type;
  const like = namesLike(entity, [...model.sets.keys()]);
  const hint = like.length === 0 ? '' : `; is it one of ${like.join(', ')}?`;
  throw new UnknownEntityError(`The service has no entity "${entity}" among its ${model.sets.size}${hint}`);
}

/** The most likely one first. */
function namesLike(entity: string, names: readonly string[]): readonly string[] {
  const wanted = entity.toLowerCase();
  const nearest = suggestName(entity, names);
  const like = names.filter((name) => {
    const known = name.toLowerCase();
    return known.startsWith(wanted.slice(0, 4)) || known.includes(wanted);
  });
  return [...new Set(nearest === null ? like : [nearest, ...like])].slice(0, 8);
}

/** The properties of an entity as columns, its keys marked. Files and links of a record are none. */
export function columnsOf(model: EntityModel, type: StructuredType): readonly Column[] {
  return [...type.properties.values()]
    .filter((property) => property.type !== 'Edm.Stream')
    .map((property) => ({
      name: property.name,
      type: columnType(model, property.type),
      nullable: property.nullable && !type.key.includes(property.name),
      native_type: property.nativeType,
      ...(type.key.includes(property.name) && { key: true }),
    }));
}

function columnType(model: EntityModel, declared: string): ColumnType {
  const type = underlyingType(model, declared);
  return TYPES[type] ?? (model.enums.has(type) ? 'string' : 'json');
}
