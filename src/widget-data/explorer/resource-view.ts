import { z } from 'zod';
import { isRecord } from '../../base/json.ts';
import type { Driver, Method, ResourceView } from '../../drivers/driver.ts';

/** The resource that a call reads, so that it can be had page by page; null where only the call as a whole gives its rows. */
export function resourceView(driver: Driver, name: string, args: unknown): ResourceView | null {
  const method = driver.methods.find((candidate) => candidate.name === name);
  return method?.kind === 'rows' ? viewOf(method, args) : null;
}

/**
 * The arguments with the resource put where the method takes it, or null where it takes none; `resource` is then what such a call
 * reads. Arguments that name another resource already give null.
 */
export function argsForResource(driver: Driver, name: string, args: unknown, resource: string): unknown {
  const method = driver.methods.find((candidate) => candidate.name === name);
  if (method?.kind !== 'rows') return null;
  if (viewOf(method, args)?.resource === resource) return args;
  const known = isRecord(args) ? args : {};
  const keys = method.args instanceof z.ZodObject ? Object.keys(method.args.shape) : [];
  for (const key of keys) {
    if (Object.hasOwn(known, key)) continue;
    const filled = { ...known, [key]: resource };
    if (viewOf(method, filled)?.resource === resource) return filled;
  }
  return null;
}

function viewOf(method: Method, args: unknown): ResourceView | null {
  if (method.pageOf === undefined || !method.args.safeParse(args ?? {}).success) return null;
  return method.pageOf(args ?? {});
}
