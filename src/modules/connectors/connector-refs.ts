import type { Cipher } from '../../base/cipher.ts';
import { AppError, requireFound } from '../../base/errors.ts';
import type { ConnectorRef } from '../../drivers/connection-cache.ts';
import type { ConnectorSpec } from '../../protocol/control-plane.ts';
import type { Db, Store } from '../../store/store.ts';
import { type ClearConfig, openConfig } from '../definitions/sealed-config.ts';
import type { ConnectorRow } from './connector.ts';
import { type ConfigRules, resolveConfig } from './connector-config.ts';
import { connectorOwner, secretTextsIn } from './connector-secrets.ts';
import { selectConnector, selectConnectorsById } from './connector-store.ts';
import { type FilledConfig, fillReferences, isReference, type OutsideSources } from './outside-values.ts';

/** The local names of a job or a task, with the ids of their connectors. */
type Bindings = Readonly<Record<string, number>>;

export interface ConnectorRefsDeps {
  readonly store: Pick<Store, 'read'>;
  readonly cipher: Cipher;
  readonly sources: OutsideSources;
}

/** Connectors with their secrets in clear, for the worker host and for executors. */
export function createConnectorRefs(
  { store, cipher, sources }: ConnectorRefsDeps,
  rulesOf: (type: string) => ConfigRules,
) {
  const filledOf = (row: ConnectorRow) =>
    fillReferences(openConfig(cipher, connectorOwner(row.id), row), sources);

  /** With a `problem` where a reference leads nowhere: only what uses the connector fails. */
  function refOf(row: ConnectorRow): ConnectorRef {
    const filled = filledOf(row);
    const [first] = filled.problems;
    const { id, version, type } = row;
    const secrets = secretsOf(filled, Object.keys(JSON.parse(row.secrets_json) as object));
    return { id, version, type, config: filled.config, secrets, ...(first && { problem: first.message }) };
  }

  /** One saved connector, for the worker host. */
  async function connectorRef(id: number): Promise<ConnectorRef> {
    return refOf(requireFound(await selectConnector(store.read, id), 'connector', id));
  }

  /** A configuration that is not saved, for the worker host: id 0, which is never kept open. */
  function unsavedRef(type: string, config: ClearConfig): ConnectorRef {
    const rules = rulesOf(type);
    const filled = fillReferences(resolveConfig(rules, config, null, sources), sources);
    return { id: 0, version: 0, type, config: filled.config, secrets: secretsOf(filled, rules.secrets) };
  }

  /** The connectors of a job's mapping; deleted ones are left out. */
  async function connectorRefs(db: Db, mapping: Bindings): Promise<Record<string, ConnectorRef>> {
    const rows = await rowsOf(db, mapping);
    const refs: Record<string, ConnectorRef> = {};
    for (const [name, id] of Object.entries(mapping)) {
      const row = rows.get(id);
      if (row !== undefined) refs[name] = refOf(row);
    }
    return refs;
  }

  /** The connectors of a run for its executor, made when the run is assigned. `CONNECTOR_ERROR` names a deleted one, or one whose references lead nowhere. */
  async function connectorSpecs(connectors: Bindings): Promise<Record<string, ConnectorSpec>> {
    const rows = await rowsOf(store.read, connectors);
    const specs: Record<string, ConnectorSpec> = {};
    for (const [local, id] of Object.entries(connectors)) {
      const row = rows.get(id);
      if (row === undefined) {
        throw new AppError(
          'CONNECTOR_ERROR',
          `The connector "${local}" (id ${id}) no longer exists: bind another one`,
        );
      }
      const { config, problems } = filledOf(row);
      const [first] = problems;
      if (first !== undefined)
        throw new AppError('CONNECTOR_ERROR', `The connector "${row.name}": ${first.message}`);
      specs[local] = { id, name: row.name, type: row.type, config };
    }
    return specs;
  }

  /** The texts that a run with these connectors must not show: all their secrets, and what their references gave. Deleted ones have none. */
  async function connectorSecrets(connectors: Bindings): Promise<string[]> {
    const rows = await rowsOf(store.read, connectors);
    return [...new Set([...rows.values()].flatMap((row) => refOf(row).secrets ?? []))];
  }

  return { connectorRef, unsavedRef, connectorRefs, connectorSpecs, connectorSecrets };
}

/**
 * What references gave, and the texts of the secret keys as they are filled: a URL may hold a password that came from outside. A
 * reference that leads nowhere stands as it was, and is what the error names.
 */
function secretsOf({ texts, config, problems }: FilledConfig, keys: readonly string[]): string[] {
  const secrets = secretTextsIn(keys.map((key) => config[key]));
  return [...texts, ...secrets.filter((text) => problems.length === 0 || !isReference(text))];
}

async function rowsOf(db: Db, bindings: Bindings): Promise<ReadonlyMap<number, ConnectorRow>> {
  const rows = await selectConnectorsById(db, [...new Set(Object.values(bindings))]);
  return new Map(rows.map((row) => [row.id, row]));
}
