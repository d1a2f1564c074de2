import type { Cipher } from '../../base/cipher.ts';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { Config } from '../../config.ts';
import type { Drivers } from '../../drivers/registry.ts';
import type { Store } from '../../store/store.ts';
import type { WorkerPool } from '../../threads/worker-pool.ts';
import type { OutboundWays } from '../outbound-ways.ts';

/** What services are made of: opened once per start and shared by all of them. */
export interface ServicesDeps extends OutboundWays {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly cipher: Cipher;
  readonly pool: WorkerPool;
  readonly drivers: Drivers;
}
