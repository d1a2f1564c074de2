import { isRecord } from '../../../base/json.ts';
import { ConnectorError } from '../../driver.ts';
import type { ValueGroup } from '../../json/json-records.ts';
import { MalformedValue } from '../../json/json-records.ts';
import { asText } from '../../json/long-number.ts';
import type { HttpList, ParentList } from '../list/http-list.ts';
import type { Query } from '../resource-config.ts';
import { valueAt } from '../value-at.ts';
import { fillText } from './parent-config.ts';

/** The pages of a list. */
export type GroupsOf = (list: HttpList, ahead: boolean) => AsyncGenerator<ValueGroup, void, undefined>;

interface ParentRecord {
  readonly value: unknown;
  /** Its number among all parents, from 1. */
  readonly number: number;
}

interface Child extends ParentRecord {
  readonly pages: AsyncGenerator<ValueGroup, void, undefined>;
  readonly first: Promise<IteratorResult<ValueGroup, void>>;
}

/**
 * The records of a list that each record of its parent has, in the order of the parents. The first pages of some parents are asked for
 * at the same time. `isLenient`: a parent whose list is refused stands among the values as malformed; else it ends the read.
 */
export async function* childGroups(
  list: HttpList,
  parent: ParentList,
  groupsOf: GroupsOf,
  { isLenient, ahead }: { readonly isLenient: boolean; readonly ahead: boolean },
): AsyncGenerator<ValueGroup, void, undefined> {
  const parents = recordsOf(groupsOf(parent.list, ahead));
  const open: Child[] = [];
  let given = 0;
  try {
    for (;;) {
      while (open.length < (ahead ? parent.concurrency : 1)) {
        const next = await parents.next();
        if (next.done === true) break;
        open.push(begin(list, parent, next.value, groupsOf));
      }
      const [child] = open;
      if (child === undefined) return;
      for await (const { values, chars } of pagesOf(child, parent, isLenient)) {
        yield { values, chars, first: given + 1 };
        given += values.length;
      }
      open.shift();
    }
  } finally {
    await Promise.allSettled([parents, ...open.map(({ pages }) => pages)].map((one) => one.return()));
  }
}

async function* recordsOf(
  groups: AsyncGenerator<ValueGroup, void, undefined>,
): AsyncGenerator<ParentRecord, void, undefined> {
  let number = 0;
  for await (const { values } of groups) for (const value of values) yield { value, number: ++number };
}

function begin(list: HttpList, parent: ParentList, record: ParentRecord, groupsOf: GroupsOf): Child {
  const pages = filledPages(list, parent, record, groupsOf);
  const first = pages.next();
  // Its failure is met when its turn comes.
  first.catch(() => undefined);
  return { ...record, pages, first };
}

/** What is wrong with the parent itself fails as its list does. */
async function* filledPages(
  list: HttpList,
  parent: ParentList,
  { value, number }: ParentRecord,
  groupsOf: GroupsOf,
): AsyncGenerator<ValueGroup, void, undefined> {
  if (value instanceof MalformedValue) {
    yield { values: [value], chars: 0, first: 1 };
    return;
  }
  yield* groupsOf(filledList(list, parent, value, number), true);
}

async function* pagesOf(
  { value, number, pages, first }: Child,
  parent: ParentList,
  isLenient: boolean,
): AsyncGenerator<ValueGroup, void, undefined> {
  try {
    for (let next = await first; next.done !== true; next = await pages.next()) {
      const { values, ...rest } = next.value;
      yield { ...rest, values: values.map((one) => withParent(one, value, parent)) };
    }
  } catch (error) {
    if (!isLenient || !(error instanceof ConnectorError) || !isOfParent(error)) throw error;
    const about = new ConnectorError(error.fault, `Record ${number} of "${parent.name}": ${error.message}`, {
      cause: error,
    });
    const origin = { file: parent.name, record: number };
    const malformed = new MalformedValue(JSON.stringify(value) ?? '', about, origin, true);
    yield { values: [malformed], chars: 0, first: 1 };
  }
}

/** A list that one parent does not have, or that cannot be read; what concerns all of them ends the read. */
function isOfParent({ fault }: ConnectorError): boolean {
  return fault === 'DATA' || fault === 'CONFIG';
}

/** The list of one parent. Throws `DATA` where the parent has no value for a placeholder. */
function filledList(list: HttpList, { name }: ParentList, record: unknown, number: number): HttpList {
  const fieldAt = (place: string) => {
    const value = asText(valueAt(record, place.slice(name.length + 1)));
    if (value === undefined || value === null || value === '' || typeof value === 'object')
      throw new ConnectorError('DATA', `Record ${number} of "${name}" has no value for {${place}}`);
    return value;
  };
  const inPath = (place: string) => encodeURIComponent(String(fieldAt(place)));
  const { resource, query } = list;
  return {
    ...list,
    parent: null,
    resource: {
      ...resource,
      path: String(fillText(resource.path, inPath)),
      body: filled(resource.body, fieldAt),
    },
    query: filled(query, fieldAt) as Query,
  };
}

function filled(value: unknown, fieldAt: (place: string) => unknown): unknown {
  if (typeof value === 'string') return fillText(value, fieldAt);
  if (Array.isArray(value)) return value.map((one) => filled(one, fieldAt));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner, fieldAt)]));
}

/** The record with the fields of its parent that are included. */
function withParent(value: unknown, record: unknown, { include, name }: ParentList): unknown {
  if (include.length === 0 || value instanceof MalformedValue) return value;
  const out: Record<string, unknown> = isRecord(value) ? { ...value } : { value };
  for (const [column, field] of include) {
    if (Object.hasOwn(out, column))
      throw new ConnectorError(
        'CONFIG',
        `The records already have a field "${column}": give that of "${name}" another name in "include"`,
      );
    const given = valueAt(record, field);
    if (given !== undefined) out[column] = given;
  }
  return out;
}
