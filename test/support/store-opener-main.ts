/**
 * `node store-opener-main.ts SETTINGS`: says `opening` to its parent, opens the state store, says `open`, and closes it when the
 * parent lets go. What it cannot open it says too.
 */
import { silentLogger } from '../../src/base/logger.ts';
import { openStore, type StateSettings } from '../../src/store/open-store.ts';

try {
  process.send?.('opening');
  const store = await openStore(JSON.parse(process.argv[2] ?? '') as StateSettings, silentLogger);
  process.send?.('open');
  await new Promise((resolve) => process.once('disconnect', resolve));
  await store.close();
} catch (error) {
  process.send?.(`failed: ${String(error)} ${String((error as Error).cause)}`);
  process.disconnect?.();
}
