import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Test } from 'tap';
import type { Problem } from '../../../src/base/errors.ts';
import { isRecord } from '../../../src/base/json.ts';
import { parseDashboard } from '../../../src/language/dashboard/parse-dashboard.ts';
import { publishedSchema, type SchemaName } from '../../../src/language/published-schemas.ts';
import { parseTask } from '../../../src/language/task/parse-task.ts';
import { parseJobTemplate } from '../../../src/language/template/parse-template.ts';
import { loadYaml } from '../../../src/language/yaml/load-yaml.ts';
import { oneIn } from '../../support/fault-list.ts';
import { seeded } from '../../support/seed.ts';

const PARSERS: Readonly<
  Record<SchemaName, (text: string) => { ok: true } | { ok: false; problems: readonly Problem[] }>
> = { task: parseTask, 'job-template': parseJobTemplate, dashboard: (text) => parseDashboard(text) };

/** A key that the schema takes and the reader does not, since it knows what the query reads. */
export const UNREAD_PARAMETER = /has no effect: the query does not read \$/;

/** What the parser alone sees, by its words: what stands in an expression, what refers to something else, what must differ. */
export const PARSER_ONLY: readonly RegExp[] = [
  /^Invalid expression/,
  /^There is no "[^"]*" to read here/,
  /^there is no expression between/,
  /"\{\{" without its "\}\}"/,
  // Names of steps, nodes, connectors, fields, profiles and queries.
  /^There is no (connector|step|task|other field or entry) "/,
  /^"[^"]*" (must name an earlier step|must assign its rows to a step|is of kind)/,
  /^A step cannot (need itself|read its own rows)/,
  /cannot need itself$/,
  /so it cannot wait for/,
  /depend on each other in a cycle:/,
  /is not defined in (scope|shared_queries)$/,
  /^"sort" must name a column/,
  // What must differ in a list or a map of maps.
  /^Duplicate /,
  /are both renamed to/,
  /is mapped twice; keep one$/,
  // Values that depend on each other.
  /^The lock does not contain "/,
  /^"max_delay" must not be less than "delay"/,
  /^"default" (must be one of|contains an item that must be one of|must be an email|must be an http)/,
  // What a format of a time says as a whole, and the names that this machine knows.
  /^"[^"]*" (names the \w+ twice|needs both h and A, or H|contains no hours)$/,
  /^"[^"]*" does not contain (a year, a month and a day|hours and minutes)$/,
  /is not an IANA time zone, such as Europe\/Berlin$/,
  /^Unknown locale "[^"]*"$/,
  /^"duration" must be at most 1d$/,
  // What a query of SQL says, and the steps that it reads.
  /^A query (must be a single SELECT|cannot contain \{\{)/,
  /^The query has a second statement/,
  /^There is no "\$\w+" in "params"/,
  UNREAD_PARAMETER,
  /has a cursor and the query reads both, but/,
  // What the steps around a divided extract are.
  /^"partition" needs a load that publishes the parts/,
  / is a field of "by" already; choose another name$/,
  // A path that the command line follows, and that editors take.
  /^Only the command line reads script files: /,
  // What a schema of rows says.
  /^"schema" is not a valid JSON Schema:/,
  // Addresses, beyond their form.
  /href must be an http\(s\), mailto, tel, or relative URL$/,
];

export interface Agreement {
  readonly validate: ValidateFunction;
  problemsOf(text: string): readonly Problem[];
  /** Null where schema and parser agree, or the parser alone can see it; else who refuses and why. */
  disagreement(value: unknown): string | null;
}

export function agreementOf(name: SchemaName): Agreement {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true });
  const validate = ajv.compile(publishedSchema(name));
  const problemsOf = (text: string) => {
    const parsed = PARSERS[name](text);
    return parsed.ok ? [] : parsed.problems;
  };
  return {
    validate,
    problemsOf,
    disagreement(value) {
      const problems = problemsOf(JSON.stringify(value));
      const fits = validate(value);
      if (fits === (problems.length === 0)) return null;
      if (!fits) {
        const [error] = validate.errors ?? [];
        return `the schema alone refuses: ${error?.instancePath} ${error?.message} (${error?.schemaPath})`;
      }
      const told = problems.filter(({ message }) => !isParserOnly(message, problems));
      return told.length === 0 ? null : `the parser alone refuses: ${told[0]?.path} ${told[0]?.message}`;
    },
  };
}

function isParserOnly(message: string, all: readonly Problem[]): boolean {
  if (PARSER_ONLY.some((words) => words.test(message))) return true;
  // An expression that cannot be read counts as absent in the place where it may stand instead.
  return (
    message === '"value_expr" is required' && all.some((problem) => /^Invalid expr/.test(problem.message))
  );
}

export function contentOf(text: string): unknown {
  const loaded = loadYaml(text);
  if (!loaded.ok) throw new Error(loaded.problems[0]?.message);
  return loaded.document.value;
}

type Path = readonly (string | number)[];

/** Takes one path of seven, in the full list of two, others at each run. */
export function takesPath(t: Test): (path: Path) => boolean {
  const stride = oneIn(7, 2);
  let index = seeded(t).upTo(stride);
  return () => index++ % stride === 0;
}

/** A JSON Schema in a document, which the published schema leaves to whoever reads it. */
export function isJsonSchema(path: Path): boolean {
  return path.at(-1) === 'schema' && path.at(-2) === 'validate';
}

/** The paths of all values inside, the root's too, but for those inside a JSON Schema. */
export function pathsOf(value: unknown, path: Path = []): readonly Path[] {
  if (isJsonSchema(path)) return [path];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : isRecord(value)
      ? Object.entries(value)
      : [];
  return [path, ...entries.flatMap(([key, inner]) => pathsOf(inner, [...path, key]))];
}

/** Whether the map or list around a value has been in its place in no document before: what documents have in common is tried once. */
export function newPlaces(): (document: unknown, path: Path) => boolean {
  /** The document that had it first. */
  const first = new Map<string, unknown>();
  return (document, path) => {
    if (path.length < 2) return true;
    const around = path.slice(0, -1);
    const place = JSON.stringify([around, at(document, around)]);
    if (!first.has(place)) first.set(place, document);
    return first.get(place) === document;
  };
}

export function at(value: unknown, path: Path): unknown {
  return path.reduce((inner, key) => (inner as Record<string | number, unknown>)[key], value);
}

/** With another value at the path: a copy along it, the rest is shared. */
export function replaced(value: unknown, path: Path, inner: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return inner;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string | number,
    unknown
  >;
  copy[key] = replaced(copy[key], rest, inner);
  return copy;
}

/** A copy without the key or the item at the path. */
export function removed(value: unknown, path: Path): unknown {
  const around = at(value, path.slice(0, -1));
  const key = path.at(-1) as string | number;
  const rest = Array.isArray(around)
    ? around.filter((_, index) => index !== key)
    : Object.fromEntries(Object.entries(around as object).filter(([name]) => name !== key));
  return replaced(value, path.slice(0, -1), rest);
}
