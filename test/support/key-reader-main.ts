/** `node key-reader-main.ts STATE`: what a server does first at its first start; sends its master key to its parent. */

import { masterKeysOf } from '../../src/app/keys/server-keys.ts';
import { loadConfig } from '../../src/config.ts';

const loaded = loadConfig({ SVC_CONFIG_FILE: '/dev/null', SVC_STATE_PATH: process.argv[2] ?? '' });
if (!loaded.ok) throw new Error('settings');
process.send?.(masterKeysOf(loaded.config)[0]);
process.disconnect?.();
