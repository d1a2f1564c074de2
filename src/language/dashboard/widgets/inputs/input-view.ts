import type { OptionsSource } from '../../../template/options-source.ts';

/** What payloads of widgets that take input have in common. */
export interface InputState {
  /** Seen through a share link. */
  readonly publicView: boolean;
  /** Why the viewer may not submit or act; null where they may. */
  readonly refusal: string | null;
}

/**
 * Who searches among the options: `server`: ask it with `q`; `page`: the one page holds all, filter it; `none`: the server filters a
 * bounded result by `q`.
 */
export interface OptionsSourceView {
  readonly search: 'server' | 'page' | 'none';
}

/** What a viewer may know of an option source: how to search it, never where it comes from. */
export function optionsSourceView(source: OptionsSource | null): OptionsSourceView | null {
  if (source === null) return null;
  if (source.search === null) return { search: 'none' };
  return { search: source.search.onFrontend ? 'page' : 'server' };
}
