import { ConnectorError } from '../../driver.ts';
import { type EntityModel, type StructuredType, underlyingType } from '../metadata/model.ts';
import type { LiteralPlace } from './literal.ts';

/** A path of properties; nothing that could be read as anything else in an expression. */
const PATH = /^[\p{L}_][\p{L}\p{N}_]{0,127}(\/[\p{L}_][\p{L}\p{N}_]{0,127}){0,7}$/u;

/** The entity that conditions and orders name properties of; null without metadata. */
export interface Subject {
  readonly model: EntityModel;
  readonly type: StructuredType;
}

/** The property at a path such as `name` or `address/city`. Throws `CONFIG` for one that is not declared. */
export function propertyAt(subject: Subject | null, path: string): LiteralPlace {
  if (!PATH.test(path))
    throw new ConnectorError('CONFIG', `"${path.slice(0, 200)}" is no name of a property`);
  if (subject === null) return { name: path, type: null, isEnum: false };
  const { model } = subject;
  const names = path.split('/');
  const last = names.pop() ?? '';
  let owner: StructuredType | undefined = subject.type;
  for (const name of names) {
    if (owner === undefined) break;
    if (owner.isOpen && !owner.properties.has(name) && !owner.navigation.has(name))
      return { name: path, type: null, isEnum: false };
    owner = model.types.get(owner.navigation.get(name) ?? owner.properties.get(name)?.type ?? '');
  }
  const property = owner?.properties.get(last);
  if (property === undefined) {
    if (owner?.isOpen === true) return { name: path, type: null, isEnum: false };
    throw unknownProperty(subject.type, path);
  }
  const type = underlyingType(model, property.type);
  return { name: path, type, isEnum: model.enums.has(type) };
}

function unknownProperty(type: StructuredType, path: string): ConnectorError {
  const names = [...type.properties.keys()];
  const some = names.slice(0, 20).join(', ');
  return new ConnectorError(
    'CONFIG',
    `The entity has no property "${path}"; it has ${some}${names.length > 20 ? ` and ${names.length - 20} more` : ''}`,
  );
}
