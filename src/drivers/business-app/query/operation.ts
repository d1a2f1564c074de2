import { isRecord } from '../../../base/json.ts';
import { ConnectorError } from '../../driver.ts';
import type { OdataKey } from '../config.ts';
import { type EntityModel, underlyingType } from '../metadata/model.ts';
import type { OdataService } from '../odata-service.ts';
import { recordPath, withOptions } from './address.ts';
import { literalOf } from './literal.ts';

interface Called {
  readonly name: string;
  readonly entity?: string | undefined;
  readonly key?: OdataKey | undefined;
}

/** The path of an operation: `Name`, `contacts/NS.Name` or `contacts(7)/NS.Name`. */
export async function callPath(service: OdataService, called: Called, signal: AbortSignal): Promise<string> {
  const { name, entity, key } = called;
  if (entity === undefined) {
    if (key !== undefined)
      throw new ConnectorError('CONFIG', 'A "key" needs the "entity" that it is a key of');
    return name;
  }
  const subject = await service.subject(entity, signal);
  return `${key === undefined ? entity : recordPath(entity, key, subject)}/${name}`;
}

/** A function's path with its parameters by alias (URL Conventions, 5.1.1.12), each as its declared type is written. */
export function functionPath(
  path: string,
  { name, parameters }: { readonly name: string; readonly parameters: Readonly<Record<string, unknown>> },
  model: EntityModel | null,
): string {
  const declared = model?.operations.get(name)?.parameters;
  const given = Object.entries(parameters);
  for (const [parameter] of given)
    if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(parameter))
      throw new ConnectorError('CONFIG', `"${parameter.slice(0, 100)}" is no name of a parameter`);
  const aliases = given.map(([parameter]) => `${parameter}=@${parameter}`).join(',');
  const values = given.map(([parameter, value]) => [
    `@${parameter}`,
    parameterText(parameter, value, declared?.get(parameter) ?? null, model),
  ]);
  return withOptions(`${path}(${aliases})`, Object.fromEntries(values));
}

/** Lists and objects go as JSON. */
function parameterText(
  name: string,
  value: unknown,
  declared: string | null,
  model: EntityModel | null,
): string {
  if (Array.isArray(value) || isRecord(value)) return JSON.stringify(value);
  const type = declared === null || model === null ? declared : underlyingType(model, declared);
  return literalOf(value, { name, type, isEnum: type !== null && model?.enums.has(type) === true });
}
