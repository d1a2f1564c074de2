/** `node killed-load-main.ts CONFIG FOLDER WORK N`: loads rows and kills itself at the Nth call of a method of the storage's set. */

import { csvConfig } from '../../../../src/drivers/csv/config.ts';
import { SetPattern } from '../../../../src/drivers/files/set/set-pattern.ts';
import { openSetWriter } from '../../../../src/drivers/files/set/set-writer.ts';
import { openStorage } from '../../../../src/drivers/files/storage/open-storage.ts';
import type { SetStore } from '../../../../src/drivers/files/storage/set-store.ts';
import { context, loadOf } from '../s3/connect-s3.ts';
import { dayRows, OBJECT } from './day-rows.ts';

const [config = '', folder = '', work, count] = process.argv.slice(2);
const storage = await openStorage({
  config: csvConfig.parse(JSON.parse(config)),
  context: { ...context, fileRoots: [folder] },
  extensions: ['.csv'],
});
let left = Number(count);

function dying(store: SetStore): SetStore {
  return new Proxy(store, {
    get: (target, key) => {
      const found = Reflect.get(target, key);
      if (typeof found !== 'function') return found;
      return (...args: unknown[]) => {
        if (key === work && left-- === 1) process.kill(process.pid, 'SIGKILL');
        return Reflect.apply(found, target, args);
      };
    },
  });
}

const dyingStorage = new Proxy(storage, {
  get: (target, key) => {
    if (key === 'set') return async (inside: string, name: string) => dying(await target.set(inside, name));
    const found = Reflect.get(target, key);
    return typeof found === 'function' ? found.bind(target) : found;
  },
});

const pattern = SetPattern.of(OBJECT);
if (pattern === null) throw new Error('it is a pattern');
const writer = await openSetWriter(dyingStorage, pattern, loadOf(OBJECT, { loadId: 'new' }), {
  title: 'CSV',
  partBytes: 1024,
  contentsOf: () => ({
    prepare:
      ({ rows }) =>
      () =>
        rows.map(({ id }) => `${id}\n`).join(''),
    end: () => '',
  }),
});
await writer.write(dayRows('new', [2, 3, 4, 5]));
await writer.commit();
