import { resolve } from 'node:path';
import type { Connection, Row } from '../../../src/drivers/driver.ts';
import type { Plugin } from '../../../src/drivers/plugins/plugin.ts';
import { connectSinger } from '../../../src/drivers/plugins/singer/connect.ts';
import { contextWith } from '../airbyte/scripted.ts';

export const scriptedTap: Plugin = {
  name: 'scripted',
  command: [process.execPath, '--no-warnings', resolve('test/peers/singer/tap-main.ts')],
  folder: null,
  memoryMb: 400,
};

/** A connection to the scripted tap in a mode, with so many people. */
export function connectTap(mode = 'good', rows = 5, more: Row = {}): Promise<Connection> {
  const config = { plugin: 'scripted', config: { mode, rows }, ...more };
  return connectSinger(config, contextWith(scriptedTap));
}
