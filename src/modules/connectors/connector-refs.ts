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
import { fillReferences, isReference, type OutsideSources } from './outside-values.ts';

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
    const { config, problems, texts } = filledOf(row);
    const [first] = problems;
    const { id, version, type } = row;
    const secrets = [...texts, ...secretTexts(secretsOf(row, config))];
    return { id, version, type, config, secrets, ...(first && { problem: first.message }) };
  }

  /** One saved connector, for the worker host. */
  async function connectorRef(id: number): Promise<ConnectorRef> {
    return refOf(requireFound(await selectConnector(store.read, id), 'connector', id));
  }

  /** A configuration that is not saved, for the worker host: id 0, which is never kept open. */
  function unsavedRef(type: string, config: ClearConfig): ConnectorRef {
    const rules = rulesOf(type);
    const filled = fillReferences(resolveConfig(rules, config, null, sources), sources);
    const secrets = [...filled.texts, ...secretTexts(rules.secrets.map((key) => filled.config[key]))];
    return { id: 0, version: 0, type, config: filled.config, secrets };
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
    const texts = [...rows.values()].flatMap((row) => {
      const { texts: filled, config } = filledOf(row);
      return [...filled, ...secretTexts(secretsOf(row, config))];
    });
    return [...new Set(texts)];
  }

  return { connectorRef, unsavedRef, connectorRefs, connectorSpecs, connectorSecrets };
}

/** A reference that leads nowhere stands as it was, and is what the error names. */
function secretTexts(secrets: readonly unknown[]): string[] {
  return secretTextsIn(secrets).filter((text) => !isReference(text));
}

/** The secret fields of a filled configuration: a URL may hold a password that came from outside. */
function secretsOf({ secrets_json }: ConnectorRow, config: ClearConfig): unknown[] {
  return Object.keys(JSON.parse(secrets_json) as object).map((key) => config[key]);
}

async function rowsOf(db: Db, bindings: Bindings): Promise<ReadonlyMap<number, ConnectorRow>> {
  const rows = await selectConnectorsById(db, [...new Set(Object.values(bindings))]);
  return new Map(rows.map((row) => [row.id, row]));
}
