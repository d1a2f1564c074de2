import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { fileOfPage } from '../frame/state/page-files.ts';

/** A screen in a file of its own, fetched when a link to it is pointed at or followed. */
export function lazyScreen<N extends string>(file: () => Promise<Record<N, ComponentType>>, name: N) {
  return lazyRouteComponent(() => fileOfPage(file()), name);
}
