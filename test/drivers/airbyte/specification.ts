import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { connectAirbyte } from '../../../src/drivers/plugins/airbyte/connect.ts';
import type { Plugin } from '../../../src/drivers/plugins/plugin.ts';
import { contextWith, signal } from './scripted.ts';

/** Its starts are counted in the file "starts" of the folder, a line each. */
export function specifiedPlugin(folder: string): Plugin {
  const command = [process.execPath, '--no-warnings', resolve('test/peers/airbyte/specified-main.ts')];
  return { name: 'shop', command, folder, memoryMb: 400 };
}

/** What the source says of its configuration. */
export async function specification(): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'specified-'));
  try {
    const plugin = specifiedPlugin(folder);
    const connection = await connectAirbyte({ plugin: 'shop' }, contextWith(plugin));
    return await connection.call('spec', {}, signal);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
