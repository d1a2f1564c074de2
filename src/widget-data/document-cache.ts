import { Lru } from '../base/lru.ts';
import type { Dashboard } from '../language/dashboard/parse-dashboard.ts';
import { TextNeeded } from '../threads/messages/document-text.ts';
import type { DashboardSource } from '../threads/messages/widget-calls.ts';

const DOCUMENTS_MAX = 32;

/** Dashboards' documents by their key, out of the JSON that they were stored as. */
export class DocumentCache {
  readonly #documents = new Lru<Dashboard>(DOCUMENTS_MAX);

  /** Throws `TextNeeded` for one that is not here and came without its text. */
  of({ documentKey, document }: Pick<DashboardSource, 'documentKey' | 'document'>): Dashboard {
    return this.#documents.get(documentKey, () => {
      if (document === null) throw new TextNeeded();
      return JSON.parse(document) as Dashboard;
    });
  }
}
