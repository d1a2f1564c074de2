import { ConnectorError } from '../../driver.ts';
import type { EntityModel } from './model.ts';

/** Services whose models are kept in one process. */
const MODELS_MAX = 16;
/** After this time the service is asked whether it has changed; with an ETag that costs nothing. */
const CHECK_MS = { withEtag: 300_000, without: 3_600_000 };

export interface Fetched {
  /** Null where the service says that what is known still holds. */
  readonly model: EntityModel | null;
  readonly etag: string | null;
}

/** Asks the service for its model, unless it is still that of the ETag. */
export type FetchModel = (etag: string | null, signal: AbortSignal) => Promise<Fetched>;

/** A model, and why it is not the newest one where that could not be had. */
export interface KnownModel {
  readonly model: EntityModel;
  readonly staleBecause: ConnectorError | null;
  /** When the service was last asked, in milliseconds since 1970. */
  readonly checkedAt: number;
}

interface Entry {
  readonly model: EntityModel;
  readonly etag: string | null;
  readonly checkedAt: number;
}

/** The models of services, by whatever says whose they are; the least recently used goes first. */
export class ModelCache {
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** `refresh`: what is known is forgotten. A model that cannot be renewed is used as it is; without one, rejects with the failure. */
  async get(key: string, fetch: FetchModel, signal: AbortSignal, refresh = false): Promise<KnownModel> {
    const known = this.#entries.get(key);
    if (known !== undefined && !refresh && this.#now() - known.checkedAt < maxAge(known))
      return this.#keep(key, known);
    try {
      const { model, etag } = await fetch(refresh ? null : (known?.etag ?? null), signal);
      const found = model ?? known?.model;
      if (found === undefined) throw new ConnectorError('DATA', 'The service does not provide "$metadata"');
      return this.#keep(key, { model: found, etag: etag ?? known?.etag ?? null, checkedAt: this.#now() });
    } catch (error) {
      if (known === undefined || !(error instanceof ConnectorError)) throw error;
      return { ...known, staleBecause: error };
    }
  }

  #keep(key: string, entry: Entry): KnownModel {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    for (const [oldest] of this.#entries) {
      if (this.#entries.size <= MODELS_MAX) break;
      this.#entries.delete(oldest);
    }
    return { ...entry, staleBecause: null };
  }
}

function maxAge({ etag }: Entry): number {
  return etag === null ? CHECK_MS.without : CHECK_MS.withEtag;
}
