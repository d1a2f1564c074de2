import fc from 'fast-check';
import type { OneOfEach } from './one-of-each.ts';
import { valueFor } from './one-of-each.ts';
import type { OpenapiOperation } from './openapi-check.ts';
import { jsonTextOf, schemaArbitrary } from './schema-arbitrary.ts';

export interface DocumentOperation {
  readonly method: string;
  /** As in the document: `/api/tasks/{id}`. */
  readonly path: string;
  readonly operation: OpenapiOperation;
}

/** A request in the abstract: which records and bodies it names is known when it is sent. */
export interface DocumentRequest extends DocumentOperation {
  readonly who: string;
  /** What stands for the path's parameters; null: the record's own. */
  readonly given: readonly (string | null)[];
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: RequestBody;
  readonly headers: Readonly<Record<string, string>>;
}

/** `kept`: the body that is taken, with these members of `value` in the place of its own. */
type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'whole'; readonly value: unknown }
  | { readonly kind: 'kept'; readonly value: unknown; readonly members: readonly number[] };

/** They go on for as long as what they follow. */
const ENDLESS = /\/(stream|events|next)$/;
/** Of those that make the requests: their users and keys have small ids. */
const OF_PEOPLE = /^\/api\/(users|api-keys|auth)/;
const NO_ID = '9007199254740991';
const HOSTILE = [NO_ID, '0', '-1', 'x', '%00', '%F0%9F%99%82', '1%2F..%2F2', '9'.repeat(40)];

/** Any request of an operation: mostly one that its schemas take, of a record that is there. */
export function requestOf(
  one: DocumentOperation,
  resolve: (ref: string) => unknown,
  people: readonly string[],
): fc.Arbitrary<DocumentRequest> {
  const { path, operation } = one;
  const others = OF_PEOPLE.test(path) ? HOSTILE : [...HOSTILE, '1', '2', '3'];
  const own = { arbitrary: fc.constant(null), weight: 4 };
  const given = ENDLESS.test(path)
    ? fc.constant(NO_ID)
    : fc.oneof(own, { arbitrary: fc.constantFrom(...others), weight: 1 });
  return fc.record({
    who: fc.constantFrom(...people),
    method: fc.constant(one.method),
    path: fc.constant(path),
    operation: fc.constant(operation),
    given: fc.array(given, { minLength: 3, maxLength: 3 }),
    query: queryOf(operation, resolve),
    body: bodyOf(operation, resolve),
    headers: fc.oneof(
      { arbitrary: fc.constant({}), weight: 12 },
      { arbitrary: fc.constantFrom(...HEADERS), weight: 1 },
    ),
  });
}

/** Of many optional parameters one is mostly refused: every third request has none of them. */
function queryOf({ parameters = [] }: OpenapiOperation, resolve: (ref: string) => unknown) {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const required = query.filter((parameter) => parameter.required);
  const valuesOf = (some: typeof query) =>
    Object.fromEntries(some.map(({ name, schema }) => [name, schemaArbitrary(schema, resolve)]));
  return fc.oneof(
    {
      arbitrary: fc.record(valuesOf(query), { requiredKeys: required.map(({ name }) => name) }),
      weight: 2,
    },
    { arbitrary: fc.record(valuesOf(required)), weight: 1 },
  );
}

function bodyOf({ requestBody }: OpenapiOperation, resolve: (ref: string) => unknown) {
  const content = requestBody?.content['application/json'];
  if (content === undefined) return fc.constant<RequestBody>({ kind: 'none' });
  const made = schemaArbitrary(content.schema, resolve);
  const whole = (value: unknown): RequestBody => ({ kind: 'whole', value });
  const kept = (value: unknown, members: readonly number[]): RequestBody => ({
    kind: 'kept',
    value,
    members,
  });
  return fc.oneof(
    { arbitrary: fc.constant(kept({}, [])), weight: 3 },
    {
      arbitrary: fc.tuple(made, fc.array(fc.nat(9), { maxLength: 2 })).map(([a, b]) => kept(a, b)),
      weight: 4,
    },
    { arbitrary: fc.constant(whole(content.example)), weight: 1 },
    { arbitrary: made.map(whole), weight: 4 },
  );
}

/** Where a request goes, now that its records are known. */
export function urlOf({ method, path, given, query }: DocumentRequest, one: OneOfEach): string {
  let next = 0;
  const at = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = given[next++ % given.length] ?? null;
    return value ?? valueFor(one, { method, path }, name) ?? NO_ID;
  });
  const search = new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, queryTextOf(value)]),
  );
  return search.size === 0 ? at : `${at}?${search}`;
}

/** The body's JSON, now that its records are known; undefined where there is none. */
export function payloadOf({ method, path, body }: DocumentRequest, one: OneOfEach): string | undefined {
  switch (body.kind) {
    case 'none':
      return undefined;
    case 'whole':
      return jsonTextOf(body.value);
    case 'kept': {
      const kept = one.bodies.get(`${method} ${path}`) ?? {};
      const entries = Object.entries(Object(body.value) as object);
      const chosen = body.members.flatMap((at) => entries.slice(at, at + 1));
      return jsonTextOf({ ...kept, ...Object.fromEntries(chosen) });
    }
    default:
      return body satisfies never;
  }
}

function queryTextOf(value: unknown): string {
  return (typeof value === 'string' ? value : jsonTextOf(value)).toWellFormed();
}

const HEADERS: readonly Readonly<Record<string, string>>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/xml' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-encoding': 'gzip' },
  { 'if-match': '"1"' },
  { 'if-match': 'W/"x"' },
  { 'if-match': '*' },
  { 'idempotency-key': 'one' },
  { 'idempotency-key': 'x'.repeat(1_000) },
  { 'x-session-token': 'x' },
];
