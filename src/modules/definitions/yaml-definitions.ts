import type { Clock } from '../../base/clock.ts';
import { AppError, type Problem, requireFound, validationError } from '../../base/errors.ts';
import type { ExpectedVersions } from '../../http/etag.ts';
import type { Dialect } from '../../store/dialect.ts';
import type { Db, Store, Tx } from '../../store/store.ts';
import type { Actor, AuditOrigin } from '../audit/audit.ts';
import { createAudit } from '../audit/audit-service.ts';
import { nameJobs, nameTaken, recordChanges } from './record-changes.ts';

/** What parsing a YAML in the worker host resolves to. */
export type Parsed<Info> =
  | { readonly ok: true; readonly info: Info }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export type DefinitionStatus = 'active' | 'archived';

/** A definition written as YAML. */
export interface YamlRecord {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly yaml_content: string;
  readonly version: number;
  readonly status: string;
}

/** What a caller sends. */
export interface YamlInput {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly yaml_content: string;
}

/** A definition whose text was parsed, ready to be stored. */
export interface PreparedYaml {
  readonly name: string;
  readonly description: string | null;
  readonly yaml: string;
}

/** The author and the time of a write. */
export interface Stamp {
  readonly by: string;
  readonly now: number;
}

/** What differs between the kinds of definitions. `Place` is what a new one has on top of `Prepared`. */
export interface YamlKind<R extends YamlRecord, Input, Info, Prepared, Place> {
  /** In messages; in the audit log with `_` for blanks: `job template`. */
  readonly noun: string;
  readonly parse: (yaml: string, input: Input) => Promise<Parsed<Info>>;
  readonly prepare: (input: Input, info: Info) => Prepared;
  readonly lock: (tx: Tx, dialect: Dialect, id: number) => Promise<R | null>;
  readonly insert: (tx: Tx, write: Prepared & Place & Stamp) => Promise<R>;
  readonly update: (tx: Tx, id: number, version: number, write: Prepared & Stamp) => Promise<R>;
  readonly setStatus: (tx: Tx, id: number, status: DefinitionStatus) => Promise<R>;
  readonly remove: (tx: Tx, id: number) => Promise<void>;
  /** Set where names are unique. */
  readonly selectNamed?: (tx: Tx, names: readonly string[]) => Promise<readonly R[]>;
  /** Throws where the definition does not fit the others that it names, or its author may not save it. */
  readonly requireFit?: (tx: Tx, prepared: Prepared, actor: Actor) => Promise<void>;
  /** Jobs that block its deletion, and the words between its name and theirs. */
  readonly usedBy?: {
    readonly select: (tx: Tx, id: number) => Promise<Parameters<typeof nameJobs>[0]>;
    readonly words: string;
  };
  /** For the audit log; defaults: version and name before and after, the name of a deleted one. */
  readonly auditUpdate?: (before: R, after: R) => object;
  readonly auditRemove?: (row: R) => object;
}

export interface DefinitionsDeps {
  readonly store: Store;
  readonly clock: Clock;
}

/** Creates, changes and removes definitions of a kind, each change with its audit row in one transaction. */
export function createYamlDefinitions<
  R extends YamlRecord,
  Input extends YamlInput,
  Info,
  Prepared extends PreparedYaml,
  Place extends object = object,
>({ store, clock }: DefinitionsDeps, kind: YamlKind<R, Input, Info, Prepared, Place>) {
  const audit = createAudit(clock);
  const type = kind.noun.replaceAll(' ', '_');
  const { locked, change } = recordChanges(store, kind.noun, kind.lock);

  async function prepare(input: Input): Promise<Prepared> {
    const parsed = await kind.parse(input.yaml_content, input);
    if (!parsed.ok) throw validationError(parsed.problems);
    return kind.prepare(input, parsed.info);
  }

  /** `VALIDATION_ERROR` with all problems of the text. `place` runs in the transaction that creates it. */
  async function create(input: Input, actor: Actor, place?: (tx: Tx) => Promise<Place>): Promise<R> {
    const prepared = await prepare(input);
    return store.write(async (tx) => {
      const created = { ...prepared, ...(await place?.(tx)) } as Prepared & Place;
      return createInside(tx, created, actor);
    });
  }

  /** As `create`, in a transaction of the caller's, who has parsed the text before it. */
  async function createInside(
    tx: Tx,
    created: Prepared & Place,
    actor: Actor,
    origin?: AuditOrigin,
  ): Promise<R> {
    await kind.requireFit?.(tx, created, actor);
    const row = await kind.insert(tx, { ...created, by: actor.name, now: clock.now() });
    await audit(tx, actor, `${type}.create`, row.id, origin);
    return row;
  }

  /** Identical content makes no new version. */
  async function update(id: number, input: Input, expected: ExpectedVersions, actor: Actor): Promise<R> {
    const prepared = await prepare(input);
    return change(id, expected, (tx, before) => updateInside(tx, before, prepared, actor));
  }

  /** As `update`, in a transaction of the caller's, who holds `before`. */
  async function updateInside(
    tx: Tx,
    before: R,
    prepared: Prepared,
    actor: Actor,
    origin?: AuditOrigin,
  ): Promise<R> {
    const { id } = before;
    const { name, description, yaml } = prepared;
    const same = before.yaml_content === yaml && before.name === name && before.description === description;
    if (same) return before;
    const named = (await kind.selectNamed?.(tx, [name])) ?? [];
    if (named.some((other) => other.id !== id)) throw nameTaken(kind.noun, name);
    await kind.requireFit?.(tx, prepared, actor);
    const write = { ...prepared, by: actor.name, now: clock.now() };
    const after = await kind.update(tx, id, before.version + 1, write);
    const diff = kind.auditUpdate?.(before, after) ?? versionAndName(before, after);
    await audit(tx, actor, `${type}.update`, id, { ...diff, ...origin });
    return after;
  }

  async function remove(id: number, expected: ExpectedVersions, actor: Actor): Promise<void> {
    await change(id, expected, async (tx, row) => {
      await requireUnused(tx, kind, row);
      await kind.remove(tx, id);
      await audit(tx, actor, `${type}.delete`, id, kind.auditRemove?.(row) ?? { name: row.name });
    });
  }

  async function setStatus(id: number, status: DefinitionStatus, actor: Actor): Promise<R> {
    return store.write(async (tx) => {
      const before = await locked(tx, id);
      if (before.status === status) return before;
      const after = await kind.setStatus(tx, id, status);
      await audit(tx, actor, `${type}.status`, id, { status: [before.status, status] });
      return after;
    });
  }

  return { create, createInside, update, updateInside, remove, setStatus };
}

function versionAndName(before: YamlRecord, after: YamlRecord) {
  return { version: [before.version, after.version], name: [before.name, after.name] };
}

async function requireUnused<R extends YamlRecord>(
  tx: Tx,
  { noun, usedBy }: Pick<YamlKind<R, never, never, never, never>, 'noun' | 'usedBy'>,
  { id, name }: R,
): Promise<void> {
  const jobs = (await usedBy?.select(tx, id)) ?? [];
  if (jobs.length === 0) return;
  const what = `The ${noun} "${name}" ${usedBy?.words} ${nameJobs(jobs)}`;
  throw new AppError('CONFLICT', `${what}: archive it instead`);
}

export interface Restorable<R extends YamlRecord> {
  readonly noun: string;
  readonly select: (db: Db, id: number) => Promise<R | null>;
  readonly selectVersion: (
    db: Db,
    id: number,
    version: number,
  ) => Promise<{ readonly yaml_content: string } | null>;
  readonly update: (
    id: number,
    input: Pick<R, 'name' | 'description' | 'yaml_content'>,
    expected: ExpectedVersions,
    actor: Actor,
  ) => Promise<R>;
}

/** Makes the text of an old version the newest one. Others refer to a definition by its name: name and description stay. */
export function createRestore<R extends YamlRecord>(
  store: Store,
  { noun, select, selectVersion, update }: Restorable<R>,
) {
  return async (id: number, version: number, expected: ExpectedVersions, actor: Actor): Promise<R> => {
    const [row, old] = await Promise.all([select(store.read, id), selectVersion(store.read, id, version)]);
    const { name, description } = requireFound(row, noun, id);
    if (old === null) throw noVersion(noun, id, version);
    return update(id, { name, description, yaml_content: old.yaml_content }, expected, actor);
  };
}

export function noVersion(noun: string, id: number, version: number): AppError {
  return new AppError('NOT_FOUND', `The ${noun} "${id}" has no version "${version}"`);
}
