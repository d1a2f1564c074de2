import { validationError } from '../base/errors.ts';
import { Lru } from '../base/lru.ts';
import type { Dashboard } from '../language/dashboard/dashboard.ts';
import { parseDashboard } from '../language/dashboard/parse-dashboard.ts';
import { TextNeeded } from '../threads/kept-text.ts';
import type { DashboardSource } from '../threads/widget-messages.ts';

const DOCUMENTS_MAX = 32;

/** Parsed dashboards by their key. */
export class DocumentCache {
  readonly #documents = new Lru<Dashboard>(DOCUMENTS_MAX);

  /** Throws `TextNeeded` for one that is not here and has no text, and a `VALIDATION_ERROR` for a text that is no dashboard. */
  of({ documentKey, yaml, vars }: Pick<DashboardSource, 'documentKey' | 'yaml' | 'vars'>): Dashboard {
    return this.#documents.get(documentKey, () => {
      if (yaml === null) throw new TextNeeded();
      const parsed = parseDashboard(yaml, { vars });
      if (!parsed.ok) throw validationError(parsed.problems);
      return parsed.dashboard;
    });
  }
}
