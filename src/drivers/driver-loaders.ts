import type { Driver } from './driver.ts';

/**
 * The drivers of this build, by connector type, in the order in which they are shown. The code of one is loaded when it is first
 * asked for, so that a process, a run or a thread holds only what it needs.
 */
export const DRIVER_LOADERS = {
  sqlite: async () => (await import('./sqlite/driver.ts')).sqliteDriver,
  postgres: async () => (await import('./postgres/driver.ts')).postgresDriver,
  mysql: async () => (await import('./mysql/driver.ts')).mysqlDriver,
  mongodb: async () => (await import('./mongodb/driver.ts')).mongodbDriver,
  csv: async () => (await import('./csv/driver.ts')).csvDriver,
  json: async () => (await import('./json/driver.ts')).jsonDriver,
  parquet: async () => (await import('./parquet/driver.ts')).parquetDriver,
  excel: async () => (await import('./excel/driver.ts')).excelDriver,
  xml: async () => (await import('./xml/driver.ts')).xmlDriver,
  http: async () => (await import('./http/driver.ts')).httpDriver,
  unified_api: async () => (await import('./unified-api/driver.ts')).unifiedApiDriver,
  business_app: async () => (await import('./business-app/driver.ts')).businessAppDriver,
  airbyte: async () => (await import('./plugins/airbyte/driver.ts')).airbyteDriver,
  singer: async () => (await import('./plugins/singer/driver.ts')).singerDriver,
  singer_target: async () => (await import('./plugins/singer/target/driver.ts')).singerTargetDriver,
  dummy: async () => (await import('./dummy/driver.ts')).dummyDriver,
} satisfies Readonly<Record<string, () => Promise<Driver>>>;

export type ConnectorType = keyof typeof DRIVER_LOADERS;

/** For processes that only name them. */
export const CONNECTOR_TYPES = Object.keys(DRIVER_LOADERS) as ConnectorType[];

/** Types that a URL names by its scheme. */
export const TYPES_OF_SCHEMES: Readonly<Record<string, ConnectorType>> = {
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
  mongodb: 'mongodb',
  'mongodb+srv': 'mongodb',
};

export function isConnectorType(type: string): type is ConnectorType {
  return Object.hasOwn(DRIVER_LOADERS, type);
}
