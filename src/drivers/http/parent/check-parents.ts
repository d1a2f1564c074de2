import { isRecord } from '../../../base/json.ts';
import type { HttpResource } from '../resource-config.ts';
import { placeholdersIn } from './parent-config.ts';

/** Parents of parents; more are a mistake. */
const LEVELS_MAX = 5;

interface ParentProblem {
  readonly path: readonly string[];
  readonly message: string;
}

/** What is wrong with the `parent` of resources: names, circles, and placeholders that name something else. */
export function parentProblems(resources: Readonly<Record<string, HttpResource>>): readonly ParentProblem[] {
  return Object.entries(resources).flatMap(([name, resource]) => {
    const problem = problemOf(name, resource, resources);
    return problem === null ? [] : [{ path: ['resources', name, 'parent'], message: problem }];
  });
}

function problemOf(
  name: string,
  resource: HttpResource,
  resources: Readonly<Record<string, HttpResource>>,
): string | null {
  const { parent } = resource;
  if (parent === undefined) return null;
  if (!Object.hasOwn(resources, parent.resource)) return `There is no resource "${parent.resource}"`;
  if (levelsAbove(name, resources) > LEVELS_MAX)
    return `"${name}" has itself among its parents, or more than ${LEVELS_MAX} of them`;
  const named = [resource.path, ...textsIn(resource.query), ...textsIn(resource.body)].flatMap(
    placeholdersIn,
  );
  const start = `${parent.resource}.`;
  const strange = named.find((place) => !place.startsWith(start));
  if (strange !== undefined)
    return `"{${strange}}" does not name a field of the parent: write {${start}<field>}, and take those of its own parent along with "include"`;
  return named.length > 0
    ? null
    : `Nothing of the parent is in "path", "query" or "body": name a field there, such as {${start}id}`;
}

function levelsAbove(name: string, resources: Readonly<Record<string, HttpResource>>): number {
  let levels = 0;
  for (let at = resources[name]?.parent?.resource; at !== undefined && levels <= LEVELS_MAX; levels++)
    at = Object.hasOwn(resources, at) ? resources[at]?.parent?.resource : undefined;
  return levels;
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}
