import type { Batch, Row } from '../../driver.ts';
import type { Versions } from '../../load-request.ts';
import type { SampleWrite } from '../interface.ts';
import { connected, requireThat, rowsOf, type Subject } from './check.ts';

const VERSIONS: Versions = {
  validFrom: 'valid_from',
  validTo: 'valid_to',
  current: 'is_current',
  hash: 'row_hash',
  byLoadTime: false,
};
const COLUMNS: Batch['columns'] = [
  { name: 'id', type: 'integer', nullable: false },
  { name: 'name', type: 'string', nullable: true },
  { name: 'valid_from', type: 'timestamp', nullable: true },
  { name: 'valid_to', type: 'timestamp', nullable: true },
  { name: 'is_current', type: 'boolean', nullable: true },
  { name: 'row_hash', type: 'string', nullable: true },
];

const versionOf = (id: number, name: string, year: number): Row => ({
  id,
  name,
  valid_from: `${year}-01-01T00:00:00.000000Z`,
  valid_to: null,
  is_current: true,
  row_hash: name,
});

/** A changed row ends its version and begins another, the same again changes nothing, and a load that is aborted leaves no trace. */
export async function checkVersions(subject: Subject, { versions }: SampleWrite): Promise<string | null> {
  if (versions === undefined) return 'the sample has no target for versions';
  return connected(subject, async (connection) => {
    const run = `conformance-${process.pid}-${performance.now()}`;
    const load = async (name: string, rows: readonly Row[], end: 'commit' | 'abort') => {
      const writer = await connection.openWriter({
        object: versions.object,
        mode: 'scd2',
        key: ['id'],
        versions: VERSIONS,
        loadId: `${run}/${name}`,
        allowEmpty: false,
        signal: new AbortController().signal,
      });
      try {
        await writer.write({ columns: COLUMNS, rows: [...rows] });
        if (end === 'commit') await writer.commit();
      } finally {
        await writer.abort();
      }
    };
    const kept = async () =>
      (await (typeof versions.read === 'function' ? versions.read() : rowsOf(connection, versions.read)))
        .map(
          (row) =>
            `${row['id']} ${row['name']} ${row['valid_to'] === null ? 'now' : String(row['valid_to']).slice(0, 4)}`,
        )
        .sort()
        .join(', ');
    const requireKept = async (wanted: string, when: string) => {
      const found = await kept();
      requireThat(found === wanted, `${when} the versions are ${found}, not ${wanted}`);
    };
    await load('first', [versionOf(1, 'a', 2001), versionOf(2, 'b', 2001)], 'commit');
    await requireKept('1 a now, 2 b now', 'After the first load');
    const changed = [versionOf(1, 'a', 2002), versionOf(2, 'c', 2002)];
    await load('aborted', changed, 'abort');
    await requireKept('1 a now, 2 b now', 'After a load was aborted');
    await load('second', changed, 'commit');
    await load('third', changed, 'commit');
    await requireKept('1 a now, 2 b 2002, 2 c now', 'After a change that was sent twice');
    return null;
  });
}
