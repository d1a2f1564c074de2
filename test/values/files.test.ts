import { rmSync } from 'node:fs';
import t from 'tap';
import { ConnectorError } from '../../src/drivers/driver.ts';
import { CANONICAL_VALUES, type CanonicalValue, titleOf } from './canonical-values.ts';
import { meansTheSame } from './meaning.ts';
import { connectFolder, FREE_TARGETS, type FreeTarget, pathOf } from './targets/file-targets.ts';

/** What a new file has of a value that is loaded into it alone; null where it is there as it was or was refused by name. */
async function silentIn(target: FreeTarget, folder: string, value: CanonicalValue): Promise<string | null> {
  const path = pathOf(folder, target);
  rmSync(path, { force: true });
  const connection = await connectFolder(target, folder);
  const writer = await connection.openWriter({
    object: target.object,
    mode: 'replace',
    key: [],
    loadId: 'load-1',
    allowEmpty: false,
    rowsMayFail: true,
    signal: new AbortController().signal,
  });
  try {
    const columns = [
      { name: 'id', type: 'integer', nullable: true },
      { name: 'v', type: value.type, nullable: true },
    ] as const;
    await writer.write({ columns, rows: [{ id: 1, v: value.value }] });
    await writer.commit();
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.fault !== 'DATA') throw error;
    return error.column === 'v' || error.message.includes('"v"')
      ? null
      : `was refused without its column: ${error.message}`;
  } finally {
    await writer.abort();
    await connection.close();
  }
  const shown = await target.shown(path);
  const isNothing = value.value === null || value.value === undefined;
  if (isNothing) return shown === null || shown === undefined ? null : `became ${shown}`;
  if (shown === null || shown === undefined)
    return target.name === 'CSV' && value.value === '' ? null : `became ${shown}`;
  return meansTheSame(value, shown, target.reads(value)) ? null : `became ${shown}`;
}

for (const target of FREE_TARGETS) {
  t.test(`${target.name}: a value arrives in a new file, or is refused by name`, async (t) => {
    const folder = t.testdir();
    const silent: string[] = [];
    for (const value of CANONICAL_VALUES) {
      const what = await silentIn(target, folder, value);
      if (what !== null) silent.push(`${titleOf(value)} ${what}`);
    }
    t.strictSame(silent, []);
  });
}
