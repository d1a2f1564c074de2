import { createFailureLimit } from '../../modules/auth/failure-limit.ts';
import type { WidgetUses } from '../../modules/dashboard-widgets/widget-viewer.ts';
import { createPublicBatch } from '../../modules/share-links/public-batch.ts';
import { selectInputStamp } from '../../modules/share-links/public-batch-store.ts';
import { createPublicLinks } from '../../modules/share-links/public-links.ts';
import { createPublicUses } from '../../modules/share-links/public-uses.ts';
import { createShareLock } from '../../modules/share-links/share-lock.ts';
import { createShares } from '../../modules/share-links/share-service.ts';
import type { DefinitionServices } from './definition-services.ts';
import type { ServicesDeps } from './services.ts';

export interface SharingDeps extends Pick<ServicesDeps, 'store' | 'clock' | 'cipher'> {
  /** The server's own switch of public input. */
  readonly inputEnabled: () => Promise<boolean>;
}

/** Share links of dashboards, and what strangers get through them. */
export function createSharingServices(
  { inputEnabled, store, clock, cipher }: SharingDeps,
  { passwords, batch, documents }: Pick<DefinitionServices, 'passwords' | 'batch' | 'documents'>,
  widgetUses: WidgetUses,
) {
  const shares = createShares({ store, clock, cipher, passwords });
  const limit = createFailureLimit(store);
  const shareLock = createShareLock({ store, clock, cipher, passwords, limit });
  return {
    shares,
    shareLock,
    publicLinks: createPublicLinks({ shares, lock: shareLock, documents, inputEnabled }),
    publicUses: createPublicUses({ store, clock, uses: widgetUses }),
    publicBatch: createPublicBatch({ batch, clock, inputStamp: (row) => selectInputStamp(store.read, row) }),
  };
}
