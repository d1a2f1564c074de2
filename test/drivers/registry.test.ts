import t from 'tap';
import { CONNECTOR_TYPES } from '../../src/drivers/driver-loaders.ts';
import { allDrivers } from '../support/all-drivers.ts';

t.test('every connector type is found by its name and described as plain JSON', async (t) => {
  const drivers = allDrivers;
  const names = drivers.types().map((driver) => driver.type);
  t.strictSame([...names].sort(), [
    'airbyte',
    'business_app',
    'csv',
    'dummy',
    'excel',
    'http',
    'json',
    'mongodb',
    'mysql',
    'parquet',
    'postgres',
    'singer',
    'singer_target',
    'sqlite',
    'unified_api',
    'xml',
  ]);
  t.strictSame(names, CONNECTOR_TYPES, 'the list for those who only name them is the same');
  for (const name of names) t.equal(drivers.get(name)?.type, name);
  t.equal(drivers.get('toString'), undefined);
  const catalogue = drivers.catalogue();
  t.strictSame(JSON.parse(JSON.stringify(catalogue)), catalogue, 'it survives JSON');
  for (const entry of catalogue) {
    const properties = entry.config['properties'] as Record<
      string,
      { description?: string; writeOnly?: boolean }
    >;
    t.equal(entry.config['additionalProperties'], false, `${entry.type} refuses unknown keys`);
    for (const [key, property] of Object.entries(properties)) {
      t.ok(property.description, `${entry.type}.${key} is described`);
      t.equal(
        property.writeOnly ?? false,
        entry.secrets.includes(key),
        `${entry.type}.${key} is secret or not`,
      );
    }
    for (const method of entry.methods) t.equal(method.read_only, method.kind !== 'write');
  }
});
