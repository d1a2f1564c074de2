import type { Cipher } from '../../base/cipher.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError, type Problem, requireFound, validationError } from '../../base/errors.ts';
import { canonicalJson } from '../../base/json.ts';
import type { ConnectorRef } from '../../drivers/connection-cache.ts';
import type { Drivers } from '../../drivers/registry.ts';
import { requireVersion } from '../../http/etag.ts';
import { didYouMean } from '../../language/yaml/suggest-name.ts';
import type { ConnectorSpec } from '../../protocol/control-plane.ts';
import type { Db, Store, Tx } from '../../store/store.ts';
import type { Actor, AuditOrigin } from '../audit/audit.ts';
import { createAudit } from '../audit/audit-service.ts';
import { type ConnectorRecord, type ConnectorRow, toConnector } from './connector.ts';
import { type ClearConfig, type ConfigRules, resolveConfig, stubProblems } from './connector-config.ts';
import { openConfig, sealConfig, secretTextsOf } from './connector-secrets.ts';
import {
  deleteConnector,
  insertConnector,
  lockConnector,
  selectBindingJobs,
  selectConnector,
  selectConnectorByName,
  selectConnectorsById,
  updateConnector,
  updateSealedConfig,
} from './connector-store.ts';

export interface ConnectorsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly cipher: Cipher;
  readonly drivers: Pick<Drivers, 'get' | 'types'>;
}

export interface ConnectorInput {
  readonly name: string;
  readonly type: string;
  readonly description?: string | null | undefined;
  readonly config: ClearConfig;
}

export type Connectors = ReturnType<typeof createConnectors>;

/** Saved configurations and their secrets. The secrets leave here in clear only as a `ConnectorRef` or a `ConnectorSpec`. */
export function createConnectors({ store, clock, cipher, drivers }: ConnectorsDeps) {
  const audit = createAudit(clock);

  function rulesOf(type: string): ConfigRules {
    const driver = drivers.get(type);
    if (driver !== undefined) return driver;
    const types = drivers.types().map((known) => known.type);
    const hint = didYouMean(type, types) || `; there are ${types.map((known) => `"${known}"`).join(', ')}`;
    throw validationError([{ path: 'type', message: `There is no connector type "${type}"${hint}` }]);
  }

  /** `VALIDATION_ERROR` where the type or its configuration is wrong; `CONFLICT` where the name is taken. */
  async function create(input: ConnectorInput, actor: Actor): Promise<ConnectorRecord> {
    const rules = rulesOf(input.type);
    const config = resolveConfig(rules, input.config, null);
    return store.write((tx) => insertInside(tx, rules, { ...input, config }, actor));
  }

  /** What is wrong with a connector that comes without its secrets; the names of those are given. */
  function problemsOfStub(
    input: Pick<ConnectorInput, 'type' | 'config'>,
    secrets: readonly string[],
  ): Problem[] {
    return stubProblems(rulesOf(input.type), input.config, secrets);
  }

  /**
   * Saves a connector without secrets, in a transaction of the caller's, who has had it checked by `problemsOfStub`. Until somebody gives
   * the secrets, what uses it fails with what is missing.
   */
  async function createStubInside(
    tx: Tx,
    input: ConnectorInput,
    actor: Actor,
    origin?: AuditOrigin,
  ): Promise<ConnectorRecord> {
    return insertInside(tx, rulesOf(input.type), input, actor, origin);
  }

  async function insertInside(
    tx: Tx,
    rules: ConfigRules,
    { name, type, description = null, config }: ConnectorInput,
    actor: Actor,
    origin?: AuditOrigin,
  ): Promise<ConnectorRecord> {
    const now = clock.now();
    const id = await insertConnector(tx, { name, type, description, by: actor.name, now });
    if (id === null) throw taken(name);
    const row = await updateSealedConfig(tx, id, sealConfig(cipher, id, rules.secrets, config));
    const record = toConnector(row);
    await audit(tx, actor, 'connector.create', id, { name, type, config: record.config, ...origin });
    return record;
  }

  /** Masks keep the stored secrets; identical content makes no new version. */
  async function update(
    id: number,
    input: ConnectorInput,
    expected: number | null,
    actor: Actor,
  ): Promise<ConnectorRecord> {
    return store.write(async (tx) => {
      const row = await lockedRow(tx, id);
      requireVersion(expected, row.version);
      requireSameType(row, input.type);
      const rules = rulesOf(row.type);
      const stored = openConfig(cipher, row);
      const config = resolveConfig(rules, input.config, stored);
      const { name, description = null } = input;
      const same = canonicalJson(config) === canonicalJson(stored);
      if (same && name === row.name && description === row.description) return toConnector(row);
      const other = await selectConnectorByName(tx, name);
      if (other !== null && other.id !== id) throw taken(name);
      const now = clock.now();
      const sealed = sealConfig(cipher, id, rules.secrets, config);
      const change = { name, description, ...sealed, version: row.version + 1, by: actor.name, now };
      const after = toConnector(await updateConnector(tx, id, change));
      const diff = diffOf(toConnector(row), after, replacedKeys(rules, stored, config));
      await audit(tx, actor, 'connector.update', id, diff);
      return after;
    });
  }

  /** `CONFLICT`, with their names, while jobs bind it. */
  async function remove(id: number, expected: number | null, actor: Actor): Promise<void> {
    await store.write(async (tx) => {
      const row = await lockedRow(tx, id);
      requireVersion(expected, row.version);
      const jobs = await selectBindingJobs(tx, id);
      if (jobs.length > 0) {
        const names = jobs.map((job) => `"${job.name}" (${job.id})`).join(', ');
        throw new AppError(
          'CONFLICT',
          `The connector "${row.name}" is bound by the jobs ${names}: bind another one there first`,
        );
      }
      await deleteConnector(tx, id);
      const diff = { name: row.name, type: row.type, version: row.version };
      await audit(tx, actor, 'connector.delete', id, diff);
    });
  }

  async function lockedRow(tx: Tx, id: number): Promise<ConnectorRow> {
    return requireFound(await lockConnector(tx, store.dialect, id), 'connector', id);
  }

  function refOf(row: ConnectorRow): ConnectorRef {
    return { id: row.id, version: row.version, type: row.type, config: openConfig(cipher, row) };
  }

  /** One saved connector with its secrets, for the worker host. */
  async function connectorRef(id: number): Promise<ConnectorRef> {
    const row = requireFound(await selectConnector(store.read, id), 'connector', id);
    return refOf(row);
  }

  /** A configuration that is not saved, for the worker host: id 0, which is never kept open. */
  function unsavedRef(type: string, config: ClearConfig): ConnectorRef {
    return { id: 0, version: 0, type, config: resolveConfig(rulesOf(type), config, null) };
  }

  /** The connectors of a job's mapping, with secrets; those that do not exist any more are left out. */
  async function connectorRefs(
    db: Db,
    mapping: Readonly<Record<string, number>>,
  ): Promise<Record<string, ConnectorRef>> {
    const rows = await rowsOf(db, mapping);
    const refs: Record<string, ConnectorRef> = {};
    for (const [name, id] of Object.entries(mapping)) {
      const row = rows.get(id);
      if (row !== undefined) refs[name] = refOf(row);
    }
    return refs;
  }

  /** What a run's executor connects with, made when the run is assigned. `CONNECTOR_ERROR` names one that is gone. */
  async function connectorSpecs(
    connectors: Readonly<Record<string, number>>,
  ): Promise<Record<string, ConnectorSpec>> {
    const rows = await rowsOf(store.read, connectors);
    const specs: Record<string, ConnectorSpec> = {};
    for (const [local, id] of Object.entries(connectors)) {
      const row = rows.get(id);
      if (row === undefined) {
        throw new AppError(
          'CONNECTOR_ERROR',
          `The connector "${local}" (id ${id}) does not exist any more: bind another one`,
        );
      }
      specs[local] = { id, name: row.name, type: row.type, config: openConfig(cipher, row) };
    }
    return specs;
  }

  /** What a run with these connectors must not show: every secret text of theirs. Connectors that are gone have none. */
  async function connectorSecrets(connectors: Readonly<Record<string, number>>): Promise<string[]> {
    const rows = await rowsOf(store.read, connectors);
    return [...new Set([...rows.values()].flatMap((row) => secretTextsOf(cipher, row)))];
  }

  return {
    hasType: (type: string) => drivers.get(type) !== undefined,
    create,
    problemsOfStub,
    createStubInside,
    update,
    remove,
    connectorRef,
    unsavedRef,
    connectorRefs,
    connectorSpecs,
    connectorSecrets,
  };
}

async function rowsOf(
  db: Db,
  mapping: Readonly<Record<string, number>>,
): Promise<ReadonlyMap<number, ConnectorRow>> {
  const rows = await selectConnectorsById(db, [...new Set(Object.values(mapping))]);
  return new Map(rows.map((row) => [row.id, row]));
}

function requireSameType(row: ConnectorRow, type: string): void {
  if (row.type === type) return;
  const message = `The type of a connector stays: "${row.name}" is of the type "${row.type}", not "${type}"; make a new connector`;
  throw validationError([{ path: 'type', message }]);
}

function taken(name: string): AppError {
  return new AppError('CONFLICT', `There is a connector "${name}" already`);
}

/** Secret keys whose value changed: the audit log names them, and never shows them. */
function replacedKeys(rules: ConfigRules, before: ClearConfig, after: ClearConfig): string[] {
  return rules.secrets.filter((key) => canonicalJson([before[key]]) !== canonicalJson([after[key]]));
}

function diffOf(before: ConnectorRecord, after: ConnectorRecord, replaced: readonly string[]) {
  return {
    version: [before.version, after.version],
    name: [before.name, after.name],
    description: [before.description, after.description],
    config: [before.config, after.config],
    replaced,
  };
}
