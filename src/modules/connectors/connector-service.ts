import type { Cipher } from '../../base/cipher.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError, type Problem, validationError } from '../../base/errors.ts';
import { canonicalJson } from '../../base/json.ts';
import { didYouMean } from '../../base/text/suggest-name.ts';
import type { Drivers } from '../../drivers/registry.ts';
import type { ExpectedVersions } from '../../http/etag.ts';
import type { Store, Tx } from '../../store/store.ts';
import type { Actor, AuditOrigin } from '../audit/audit.ts';
import { createAudit } from '../audit/audit-service.ts';
import { deleteConnectorHealth } from '../connector-health/connector-health-store.ts';
import { nameTaken, recordChanges } from '../definitions/record-changes.ts';
import { type ClearConfig, openConfig, sealConfig } from '../definitions/sealed-config.ts';
import { type ConnectorRecord, type ConnectorRow, secretNamesOf, toConnector } from './connector.ts';
import {
  type CheckOf,
  type ConfigCheck,
  type ConfigRules,
  resolveConfig,
  stubProblems,
} from './connector-config.ts';
import { createConnectorRefs } from './connector-refs.ts';
import { connectorOwner } from './connector-secrets.ts';
import {
  deleteConnector,
  insertConnector,
  lockConnector,
  selectBindingJobs,
  selectConnectorsNamed,
  updateConnector,
  updateSealedConfig,
} from './connector-store.ts';
import { NOTHING_OUTSIDE, type OutsideSources } from './outside-values.ts';

export interface ConnectorsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly cipher: Cipher;
  readonly drivers: Pick<Drivers, 'get' | 'types'>;
  /** What configurations may refer to. Default: nothing. */
  readonly sources?: OutsideSources;
  /** What else checks a configuration that is saved; asked before it is, since it may take a program's start. Default: nothing. */
  readonly checkOf?: CheckOf;
}

type Deps = Required<ConnectorsDeps>;

export interface ConnectorInput {
  readonly name: string;
  readonly type: string;
  readonly description?: string | null | undefined;
  readonly config: ClearConfig;
}

/** `openSecrets`: the names of the secrets that it had elsewhere, and that are to be set here. */
export interface ConnectorStub extends ConnectorInput {
  readonly openSecrets: readonly string[];
}

export type Connectors = ReturnType<typeof createConnectors>;

/** Saved configurations and their secrets. The secrets leave here in clear only as a `ConnectorRef` or a `ConnectorSpec`. */
export function createConnectors(given: ConnectorsDeps) {
  const deps: Deps = { sources: NOTHING_OUTSIDE, checkOf: async () => () => [], ...given };
  const rulesOf = (type: string) => requireRules(deps.drivers, type);
  return {
    ...createStubs(deps, rulesOf),
    ...createChanges(deps, rulesOf),
    ...createConnectorRefs(deps, rulesOf),
  };
}

type RulesOf = (type: string) => ConfigRules;

function requireRules(drivers: ConnectorsDeps['drivers'], type: string): ConfigRules {
  const driver = drivers.get(type);
  if (driver !== undefined) return driver;
  const types = drivers.types().map((known) => known.type);
  const hint = didYouMean(type, types) || `; there are ${types.map((known) => `"${known}"`).join(', ')}`;
  throw validationError([{ path: 'type', message: `There is no connector type "${type}"${hint}` }]);
}

/** Connectors of a bundle, which holds no secrets. */
function createStubs(deps: Deps, rulesOf: RulesOf) {
  return {
    hasType: (type: string) => deps.drivers.get(type) !== undefined,

    /** What else checks a connector without its secrets; asked before `problemsOfStub`, since it may take a program's start. */
    checkOfStub: ({ type, config }: StubInput) => deps.checkOf(type, config, { withoutSecrets: true }),

    /** The problems of a connector without its secrets, whose names are `secrets`. */
    problemsOfStub({ type, config }: StubInput, secrets: readonly string[], check?: ConfigCheck): Problem[] {
      return stubProblems(rulesOf(type), config, secrets, deps.sources, check);
    },

    /**
     * Saves a connector without secrets, in a transaction of the caller's, who has had it checked by `problemsOfStub`. Until
     * somebody adds the secrets, whatever uses it fails and says what is missing, and an export names them.
     */
    createStubInside(
      tx: Tx,
      stub: ConnectorStub,
      actor: Actor,
      origin?: AuditOrigin,
    ): Promise<ConnectorRecord> {
      return insertInside(deps, tx, rulesOf(stub.type), stub, actor, origin);
    },
  };
}

type StubInput = Pick<ConnectorInput, 'type' | 'config'>;

function createChanges(deps: Deps, rulesOf: RulesOf) {
  const { store, clock } = deps;
  const audit = createAudit(clock);
  const { change } = recordChanges(store, 'connector', lockConnector);

  /** `VALIDATION_ERROR` where the type or its configuration is wrong; `CONFLICT` where the name is taken. */
  async function create(input: ConnectorInput, actor: Actor): Promise<ConnectorRecord> {
    const rules = rulesOf(input.type);
    const check = await deps.checkOf(input.type, input.config);
    const config = resolveConfig(rules, input.config, null, deps.sources, check);
    return store.write((tx) => insertInside(deps, tx, rules, { ...input, config }, actor));
  }

  /** Masks keep the stored secrets; identical content makes no new version. */
  async function update(
    id: number,
    input: ConnectorInput,
    expected: ExpectedVersions,
    actor: Actor,
  ): Promise<ConnectorRecord> {
    const check = await deps.checkOf(input.type, input.config);
    return change(id, expected, (tx, row) =>
      updateInside({ ...deps, check }, tx, row, input, rulesOf, actor),
    );
  }

  /** `CONFLICT`, with their names, while jobs bind it. */
  async function remove(id: number, expected: ExpectedVersions, actor: Actor): Promise<void> {
    await change(id, expected, async (tx, row) => {
      const jobs = await selectBindingJobs(tx, id);
      if (jobs.length > 0) {
        const names = jobs.map((job) => `"${job.name}" (${job.id})`).join(', ');
        throw new AppError(
          'CONFLICT',
          `The connector "${row.name}" is bound by the jobs ${names}: bind another one there first`,
        );
      }
      await deleteConnector(tx, id);
      await deleteConnectorHealth(tx, id);
      const diff = { name: row.name, type: row.type, version: row.version };
      await audit(tx, actor, 'connector.delete', id, diff);
    });
  }

  return { create, update, remove };
}

async function insertInside(
  { cipher, clock }: ConnectorsDeps,
  tx: Tx,
  { secrets }: ConfigRules,
  { name, type, description = null, config, openSecrets = [] }: ConnectorInput & Partial<ConnectorStub>,
  actor: Actor,
  origin?: AuditOrigin,
): Promise<ConnectorRecord> {
  const fresh = await insertConnector(tx, { name, type, description, by: actor.name, now: clock.now() });
  if (fresh === null) throw nameTaken('connector', name);
  const { id } = fresh;
  const sealed = sealConfig(cipher, connectorOwner(id), secrets, config);
  const record = toConnector(await updateSealedConfig(tx, id, sealed, openSecrets));
  const diff = { name, type, config: record.config, ...origin };
  await createAudit(clock)(tx, actor, 'connector.create', id, diff);
  return record;
}

async function updateInside(
  { cipher, clock, sources, check }: Deps & { readonly check: ConfigCheck },
  tx: Tx,
  row: ConnectorRow,
  input: ConnectorInput,
  rulesOf: RulesOf,
  actor: Actor,
): Promise<ConnectorRecord> {
  const { id } = row;
  const { name, description = null } = input;
  requireSameType(row, input.type);
  const rules = rulesOf(row.type);
  const stored = openConfig(cipher, connectorOwner(id), row);
  const config = resolveConfig(rules, input.config, stored, sources, check);
  const same = canonicalJson(config) === canonicalJson(stored);
  if (same && name === row.name && description === row.description) return toConnector(row);
  const named = await selectConnectorsNamed(tx, [name]);
  if (named.some((other) => other.id !== id)) throw nameTaken('connector', name);
  const sealed = sealConfig(cipher, connectorOwner(id), rules.secrets, config);
  const openSecrets = secretNamesOf(row).open.filter((key) => !Object.hasOwn(config, key));
  const told = { name, description, version: row.version + 1, by: actor.name, now: clock.now() };
  const change = { ...told, ...sealed, openSecrets };
  const after = toConnector(await updateConnector(tx, id, change));
  const diff = diffOf(toConnector(row), after, replacedKeys(rules, stored, config));
  await createAudit(clock)(tx, actor, 'connector.update', id, diff);
  return after;
}

function requireSameType(row: ConnectorRow, type: string): void {
  if (row.type === type) return;
  const message = `The type of a connector cannot change: "${row.name}" has the type "${row.type}", not "${type}"; create a new connector`;
  throw validationError([{ path: 'type', message }]);
}

/** Secret keys with a changed value: the audit log names them but never shows them. */
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
