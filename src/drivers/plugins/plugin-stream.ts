import { AbsentResourceError, type Column, type Row } from '../driver.ts';

const NAMES_MAX = 20;

/** A stream of a source, as a resource of its connector. */
export interface PluginStream {
  readonly resource: string;
  readonly columns: readonly Column[];
  /** As the source described it. */
  readonly described: Row;
}

/** Throws `CONFIG`, with the names of those that there are. */
export function streamNamed<S extends PluginStream>(streams: readonly S[], wanted: string): S {
  const found = streams.find(({ resource }) => resource === wanted);
  if (found !== undefined) return found;
  const names = streams.slice(0, NAMES_MAX).map(({ resource }) => `"${resource}"`);
  throw new AbsentResourceError(
    `There is no stream "${wanted}"; there are ${names.join(', ')}${streams.length > NAMES_MAX ? ', …' : ''}`,
  );
}
