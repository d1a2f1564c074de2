import { LRUCache } from 'lru-cache';
import { notFound } from '../../base/errors.ts';
import type { DashboardFilter } from '../../language/dashboard/filters/dashboard-filter.ts';
import { publicEntriesOf } from '../../language/dashboard/scope-profile.ts';
import { type DashboardRow, documentKey, documentOf } from '../dashboards/dashboard.ts';
import { type KnownWidget, listWidgets } from './known-widget.ts';

const DOCUMENTS_MAX = 200;
const CHARS_MAX = 64_000_000;

interface KnownDocument {
  readonly widgets: readonly KnownWidget[];
  readonly filters: readonly DashboardFilter[];
  readonly allowsPublicInput: boolean;
  readonly publicEntries: readonly string[];
}

type DocumentRow = Pick<DashboardRow, 'id' | 'version' | 'document_json'>;

/** What is known of dashboards' documents: each version is read once, and kept while there is room. */
export class DashboardDocuments {
  readonly #known = new LRUCache<string, KnownDocument>({ max: DOCUMENTS_MAX, maxSize: CHARS_MAX });

  widgetsOf(row: DashboardRow): readonly KnownWidget[] {
    return this.#of(row).widgets;
  }

  filtersOf(row: DashboardRow): readonly DashboardFilter[] {
    return this.#of(row).filters;
  }

  /** Whether the document takes input through its share link; the server has a switch of its own. */
  allowsPublicInput(row: DashboardRow): boolean {
    return this.#of(row).allowsPublicInput;
  }

  /** Entries of the job's configuration that people with its share link may change. */
  publicEntriesOf(row: DocumentRow): readonly string[] {
    return this.#of(row).publicEntries;
  }

  /** `NOT_FOUND` where it is not there, or where the public view leaves it out: in the same words. */
  widget(row: DashboardRow, widgetId: string, publicView: boolean): KnownWidget {
    const found = this.widgetsOf(row).find(({ id }) => id === widgetId);
    if (found === undefined || (publicView && found.hidden)) throw notFound('widget', widgetId);
    return found;
  }

  #of(row: DocumentRow): KnownDocument {
    const key = documentKey(row);
    const found = this.#known.get(key);
    if (found !== undefined) return found;
    const document = documentOf(row);
    const made = {
      widgets: listWidgets(document),
      // A document of an older version has none.
      filters: document.filters ?? [],
      allowsPublicInput: document.allow_public_input,
      publicEntries: publicEntriesOf(document),
    };
    this.#known.set(key, made, { size: row.document_json.length });
    return made;
  }
}
