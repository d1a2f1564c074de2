import { resolve } from 'node:path';
import { AppError } from '../base/errors.ts';
import { unavailabilityOf } from './unavailable.ts';

/** As `openStore` takes them. */
type Settings =
  | { readonly kind: 'localdb'; readonly path: string }
  | { readonly kind: 'serverdb'; readonly url: string };

/** PostgreSQL refuses what the URL says, and will until somebody changes one or the other. */
const REFUSED = ['28', '3D'];

/** As `openStore` rejects. `place` is for whoever starts a server or a command: where, by which setting, without credentials. */
export class StoreOpenError extends AppError {
  readonly place: string;
  /** The PostgreSQL server does not answer, or not yet: the same start may succeed later, with the same settings. */
  readonly mayPass: boolean;

  constructor(settings: Settings, cause: unknown) {
    super('NOT_READY', 'The state store cannot be opened', { cause });
    this.mayPass = settings.kind === 'serverdb' && unavailabilityOf(cause) !== null && !isRefusal(cause);
    this.place =
      settings.kind === 'localdb'
        ? `the file "${resolve(settings.path)}" (SVC_STATE_PATH)`
        : `the PostgreSQL server ${URL.parse(settings.url)?.host ?? ''} (SVC_STATE_URL)`;
  }
}

function isRefusal(cause: unknown): boolean {
  const { code } = cause as { readonly code?: unknown };
  return typeof code === 'string' && REFUSED.some((start) => code.startsWith(start));
}
