import { isRecord } from '../../../base/json.ts';
import { ConnectorError } from '../../driver.ts';
import type { EntityModel, EntitySet, Operation, Property, StructuredType } from './model.ts';

/** Its attributes, and its children by name, without prefixes. */
type Element = Record<string, unknown>;

/** Most of the text of large services, and of no use here. */
const IGNORED = new Set(['Annotation', 'Annotations']);
const BASES_MAX = 50;

/** Reads `$metadata` (CSDL as XML). `DATA` where it is something else, such as a page to log in. */
export async function readModel(text: string): Promise<EntityModel> {
  const edmx = await parseEdmx(text);
  const schemas = listOf(first(edmx['DataServices']), 'Schema');
  if (schemas.length === 0) throw notMetadata('it declares no schema');
  const aliases = new Map(
    schemas.flatMap((schema) => {
      const alias = textOf(schema, 'Alias');
      return alias === '' ? [] : [[alias, textOf(schema, 'Namespace')] as const];
    }),
  );
  const reader = new SchemaReader(aliases);
  for (const schema of schemas) reader.declare(schema);
  for (const schema of schemas)
    for (const container of listOf(schema, 'EntityContainer')) reader.readContainer(container);
  return reader.model();
}

async function parseEdmx(text: string): Promise<Element> {
  const root: Element = {};
  try {
    await readElements(text, root);
  } catch (cause) {
    throw notMetadata(cause instanceof Error ? cause.message : String(cause), cause);
  }
  const edmx = first(root['Edmx']);
  if (edmx['Version'] === undefined) throw notMetadata('it has no element "Edmx"');
  if (textOf(edmx, 'Version').startsWith('1.'))
    throw new ConnectorError(
      'CONFIG',
      'The service speaks OData 2 or 3; a business_app connector needs OData 4',
    );
  return edmx;
}

/** Elements of XML below `root`, a list by each name. Throws where it is not well-formed. */
async function readElements(text: string, root: Element): Promise<void> {
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser();
  const open: Element[] = [root];
  let ignored = 0;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const local = name.slice(name.indexOf(':') + 1);
    if (ignored > 0 || IGNORED.has(local)) {
      ignored++;
      return;
    }
    const element: Element = { ...attributes };
    const parent = open.at(-1) as Element;
    const siblings = parent[local];
    if (Array.isArray(siblings)) siblings.push(element);
    else parent[local] = [element];
    open.push(element);
  });
  parser.on('closetag', () => {
    if (ignored > 0) ignored--;
    else open.pop();
  });
  parser.write(text).close();
}

function notMetadata(why: string, cause?: unknown): ConnectorError {
  return new ConnectorError('DATA', `"$metadata" of the service is no OData metadata: ${why}`, { cause });
}

class SchemaReader {
  readonly #aliases: ReadonlyMap<string, string>;
  readonly #types = new Map<string, { readonly element: Element; readonly base: string }>();
  readonly #enums = new Set<string>();
  readonly #definitions = new Map<string, string>();
  readonly #operations = new Map<string, Operation>();
  readonly #sets = new Map<string, EntitySet>();

  constructor(aliases: ReadonlyMap<string, string>) {
    this.#aliases = aliases;
  }

  declare(schema: Element): void {
    const namespace = textOf(schema, 'Namespace');
    const qualified = (element: Element) => `${namespace}.${textOf(element, 'Name')}`;
    for (const element of [...listOf(schema, 'EntityType'), ...listOf(schema, 'ComplexType')])
      this.#types.set(qualified(element), { element, base: this.#name(textOf(element, 'BaseType')) });
    for (const element of listOf(schema, 'EnumType')) this.#enums.add(qualified(element));
    for (const element of listOf(schema, 'TypeDefinition'))
      this.#definitions.set(qualified(element), textOf(element, 'UnderlyingType'));
    // Overloads differ in what they are bound to; their parameters have one type each.
    for (const kind of ['action', 'function'] as const)
      for (const element of listOf(schema, kind === 'action' ? 'Action' : 'Function'))
        this.#operations.set(qualified(element), {
          kind,
          parameters: new Map([
            ...(this.#operations.get(qualified(element))?.parameters ?? []),
            ...this.#parametersOf(element),
          ]),
        });
  }

  readContainer(container: Element): void {
    for (const element of listOf(container, 'EntitySet')) this.#addSet(element, 'entity', 'EntityType');
    for (const element of listOf(container, 'Singleton')) this.#addSet(element, 'singleton', 'Type');
    for (const key of ['Action', 'Function'] as const)
      for (const element of listOf(container, `${key}Import`)) {
        const operation = this.#operations.get(this.#name(textOf(element, key)));
        if (operation !== undefined) this.#operations.set(textOf(element, 'Name'), operation);
      }
  }

  model(): EntityModel {
    const types = new Map([...this.#types.keys()].map((name) => [name, this.#structured(name)]));
    return {
      sets: this.#sets,
      types,
      enums: this.#enums,
      definitions: this.#definitions,
      operations: this.#operations,
    };
  }

  #addSet(element: Element, kind: EntitySet['kind'], typeKey: string): void {
    const name = textOf(element, 'Name');
    this.#sets.set(name, { name, kind, type: this.#name(textOf(element, typeKey)) });
  }

  /** What the type inherits comes before its own. */
  #structured(name: string): StructuredType {
    const line: Element[] = [];
    for (
      let at = this.#types.get(name);
      at !== undefined && line.length < BASES_MAX;
      at = this.#types.get(at.base)
    )
      line.unshift(at.element);
    const key = line
      .flatMap((element) => listOf(first(element['Key']), 'PropertyRef'))
      .map((ref) => textOf(ref, 'Name'));
    const properties = line
      .flatMap((element) => listOf(element, 'Property'))
      .map((element) => this.#property(element));
    const navigation = line.flatMap((element) => listOf(element, 'NavigationProperty'));
    return {
      name,
      key,
      properties: new Map(properties.map((property) => [property.name, property])),
      navigation: new Map(
        navigation.map((element) => [textOf(element, 'Name'), this.#name(textOf(element, 'Type'))]),
      ),
      isOpen: line.some((element) => element['OpenType'] === 'true'),
    };
  }

  #property(element: Element): Property {
    const type = this.#name(textOf(element, 'Type') || 'Edm.String');
    const [precision, scale, length] = ['Precision', 'Scale', 'MaxLength'].map((key) => textOf(element, key));
    const facets = type === 'Edm.Decimal' ? [precision, scale] : [length];
    const given = facets.filter((facet) => facet !== '');
    return {
      name: textOf(element, 'Name'),
      type,
      nullable: element['Nullable'] !== 'false',
      nativeType: given.length === 0 ? type : `${type}(${given.join(',')})`,
    };
  }

  #parametersOf(element: Element): readonly (readonly [string, string])[] {
    const all = listOf(element, 'Parameter');
    return all
      .slice(element['IsBound'] === 'true' ? 1 : 0)
      .map((one) => [textOf(one, 'Name'), this.#name(textOf(one, 'Type'))] as const);
  }

  /** The name with its namespace in place of an alias. */
  #name(given: string): string {
    const inner = /^Collection\((.*)\)$/.exec(given)?.[1];
    if (inner !== undefined) return `Collection(${this.#name(inner)})`;
    const dot = given.lastIndexOf('.');
    const namespace = this.#aliases.get(given.slice(0, dot));
    return dot < 0 || namespace === undefined ? given : `${namespace}${given.slice(dot)}`;
  }
}

function first(value: unknown): Element {
  const found: unknown = Array.isArray(value) ? value[0] : value;
  return isRecord(found) ? found : {};
}

function listOf(element: Element, name: string): readonly Element[] {
  const found = element[name];
  return Array.isArray(found) ? found.filter(isRecord) : [];
}

function textOf(element: Element, name: string): string {
  const value = element[name];
  return typeof value === 'string' ? value : '';
}
