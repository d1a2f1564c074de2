import t from 'tap';
import { csvDriver } from '../../../../src/drivers/csv/driver.ts';

const key = { s3: { access_key_id: 'k' }, secret_access_key: 's' };
const PROBLEMS: readonly (readonly [config: object, message: RegExp])[] = [
  [{ path: 's3://Bucket_1/a.csv', ...key }, /no name of a bucket/],
  [{ path: 's3://', ...key }, /s3:\/\/bucket\/folder/],
  [{ path: 's3:bucket', ...key }, /s3:\/\/bucket\/folder/],
  [{ path: 's3://bucket/a/../b.csv', ...key }, /must not contain/],
  [{ path: 's3://bucket/a.csv', s3: { access_key_id: 'k' } }, /"secret_access_key" is required/],
  [{ path: 's3://bucket/a.csv', secret_access_key: 's' }, /Set "access_key_id"/],
  [{ path: 's3://bucket/a.csv', s3: { endpoint: 'ftp://x' } }, /https:\/\/ or http/],
  [{ path: 'a.csv', ...key }, /is for a "path" that begins with s3/],
];

t.test('a configuration that cannot work is refused where it is saved', async (t) => {
  for (const [config, message] of PROBLEMS) {
    const { success, error } = csvDriver.config.safeParse(config);
    t.equal(success, false, JSON.stringify(config));
    t.match(error?.issues[0]?.message, message);
  }
  t.ok(csvDriver.config.safeParse({ path: 's3://public-data/a.csv' }).success);
  t.ok(csvDriver.config.safeParse({ path: 's3://bucket/', ...key }).success);
});
