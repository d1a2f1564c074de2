import { z } from 'zod';
import { csvDriver } from './csv/driver.ts';
import type { Driver, MethodKind, WriteMode } from './driver.ts';
import { dummyDriver } from './dummy/driver.ts';
import { withIntrospection } from './introspection-methods.ts';
import { jsonDriver } from './json/driver.ts';
import { parquetDriver } from './parquet/driver.ts';
import { postgresDriver } from './postgres/driver.ts';
import { sqliteDriver } from './sqlite/driver.ts';

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

/** The drivers that this build has. */
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

/** All connector types, each once. */
export function createDrivers(): Drivers {
  const drivers: readonly Driver[] = [
    sqliteDriver,
    postgresDriver,
    csvDriver,
    jsonDriver,
    parquetDriver,
    dummyDriver,
  ].map(withIntrospection);
  const byType = new Map(drivers.map((driver) => [driver.type, driver]));
  const entries = drivers.map(catalogueEntry);
  return {
    get: (type) => byType.get(type),
    types: () => drivers,
    catalogue: () => entries,
  };
}
