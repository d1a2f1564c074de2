import { z } from 'zod';
import type { ConnectorType, ConnectorTypes, MethodKind } from '../language/connector-types.ts';
import { argumentProblems } from './argument-problems.ts';
import type { DriverFile } from './custom/driver-file.ts';
import type { Driver, WriteMode } from './driver.ts';
import { CONNECTOR_TYPES, DRIVER_LOADERS, isConnectorType } from './driver-loaders.ts';
import { withIntrospection } from './introspection-methods.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

export interface CatalogueMethod {
  readonly name: string;
  readonly summary: string;
  readonly kind: MethodKind;
  /** False for methods that have effects. */
  readonly read_only: boolean;
  /** JSON Schema (2020-12) of the arguments as callers give them. */
  readonly args: JsonSchema;
}

/** What people and forms need to know of a connector type: plain JSON. */
export interface CatalogueEntry {
  readonly type: string;
  readonly title: string;
  /** JSON Schema (2020-12) of the configuration as people give it; secret keys have `writeOnly: true`. */
  readonly config: JsonSchema;
  readonly secrets: readonly string[];
  readonly capabilities: { readonly write: readonly WriteMode[]; readonly introspect: boolean };
  readonly methods: readonly CatalogueMethod[];
}

/** Some or all of the drivers that this build has. */
export interface Drivers {
  get(type: string): Driver | undefined;
  /** In the order in which they are shown. */
  types(): readonly Driver[];
  catalogue(): readonly CatalogueEntry[];
}

function inputSchema(schema: z.ZodType): JsonSchema {
  // What JSON Schema cannot say, such as a refinement in code, is left open; the server still checks it.
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object';
}

function configSchema(driver: Driver): JsonSchema {
  const schema = inputSchema(driver.config);
  const properties = schema['properties'];
  if (!isObject(properties)) return schema;
  const marked = Object.entries(properties).map(([key, property]) => {
    const isSecret = driver.secrets.includes(key) && isObject(property);
    return [key, isSecret ? { ...property, writeOnly: true } : property];
  });
  return { ...schema, properties: Object.fromEntries(marked) };
}

function catalogueEntry(driver: Driver): CatalogueEntry {
  return {
    type: driver.type,
    title: driver.title,
    config: configSchema(driver),
    secrets: driver.secrets,
    capabilities: driver.capabilities,
    methods: driver.methods.map(({ name, summary, kind, args }) => ({
      name,
      summary,
      kind,
      read_only: kind !== 'write',
      args: inputSchema(args),
    })),
  };
}

/** What validators of documents know of the connectors of this build, and of drivers of one's own. */
export async function loadConnectorTypes(files: readonly DriverFile[] = []): Promise<ConnectorTypes> {
  const drivers = await loadDrivers(null, files);
  return new Map(drivers.types().map((driver) => [driver.type, connectorTypeOf(driver)]));
}

function connectorTypeOf({ type, capabilities, widening, methods }: Driver): ConnectorType {
  return {
    type,
    writeModes: capabilities.write,
    partModes: capabilities.parts ?? [],
    anywhere: (capabilities.anywhere ?? false) !== false,
    deletesMissing: capabilities.deletesMissing === true,
    typedColumns: capabilities.typedColumns === true,
    widensColumns: widening !== undefined,
    oneLoadAtOnce: capabilities.oneLoadAtOnce === true,
    methods: methods.map((method) => ({
      name: method.name,
      kind: method.kind,
      cursor: method.cursor,
      tellsMalformed: method.tellsMalformed ?? false,
      argumentProblems: (args, knownAs) => argumentProblems(method, args, knownAs),
    })),
  };
}

/** One driver with its introspection; undefined where neither this build nor one of the files has the type. */
export async function loadDriver(
  type: string,
  files: readonly DriverFile[] = [],
): Promise<Driver | undefined> {
  if (isConnectorType(type)) return withIntrospection(await DRIVER_LOADERS[type]());
  const file = files.find((one) => one.type === type);
  if (file === undefined) return undefined;
  const { loadDriverFile } = await import('./custom/load-driver-file.ts');
  return withIntrospection(await loadDriverFile(file));
}

/** The drivers of these connector types, of those that this build and the files have; null: all. */
export async function loadDrivers(
  types: readonly string[] | null = null,
  files: readonly DriverFile[] = [],
): Promise<Drivers> {
  const all = [...CONNECTOR_TYPES, ...files.map(({ type }) => type)];
  const wanted = all.filter((type) => types?.includes(type) ?? true);
  const loaded = await Promise.all(wanted.map((type) => loadDriver(type, files)));
  const drivers = loaded.filter((driver) => driver !== undefined);
  const byType = new Map<string, Driver>(drivers.map((driver) => [driver.type, driver]));
  // Schemas are turned into JSON at the first question: most processes never ask.
  let entries: readonly CatalogueEntry[] | null = null;
  return {
    get: (type) => byType.get(type),
    types: () => drivers,
    catalogue: () => {
      entries ??= drivers.map(catalogueEntry);
      return entries;
    },
  };
}
