import type { Cipher } from '../../base/cipher.ts';
import { AppError, requireFound } from '../../base/errors.ts';
import type { ConnectorRef } from '../../drivers/connection-cache.ts';
import type { ConnectorSpec } from '../../protocol/control-plane.ts';
import type { Db, Store } from '../../store/store.ts';
import { type ClearConfig, openConfig } from '../definitions/sealed-config.ts';
import type { ConnectorRow } from './connector.ts';
import { type ConfigRules, resolveConfig } from './connector-config.ts';
import { connectorOwner, secretTextsOf } from './connector-secrets.ts';
import { selectConnector, selectConnectorsById } from './connector-store.ts';

/** The local names of a job or a task, with the ids of their connectors. */
type Bindings = Readonly<Record<string, number>>;

/** Connectors with their secrets in clear, for the worker host and for executors. */
export function createConnectorRefs(
  { store, cipher }: { readonly store: Pick<Store, 'read'>; readonly cipher: Cipher },
  rulesOf: (type: string) => ConfigRules,
) {
  const configOf = (row: ConnectorRow) => openConfig(cipher, connectorOwner(row.id), row);

  function refOf(row: ConnectorRow): ConnectorRef {
    return { id: row.id, version: row.version, type: row.type, config: configOf(row) };
  }

  /** One saved connector, for the worker host. */
  async function connectorRef(id: number): Promise<ConnectorRef> {
    return refOf(requireFound(await selectConnector(store.read, id), 'connector', id));
  }

  /** A configuration that is not saved, for the worker host: id 0, which is never kept open. */
  function unsavedRef(type: string, config: ClearConfig): ConnectorRef {
    return { id: 0, version: 0, type, config: resolveConfig(rulesOf(type), config, null) };
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

  /** The connectors of a run for its executor, made when the run is assigned. `CONNECTOR_ERROR` names a deleted one. */
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
      specs[local] = { id, name: row.name, type: row.type, config: configOf(row) };
    }
    return specs;
  }

  /** The texts that a run with these connectors must not show: all their secrets. Deleted connectors have none. */
  async function connectorSecrets(connectors: Bindings): Promise<string[]> {
    const rows = await rowsOf(store.read, connectors);
    return [...new Set([...rows.values()].flatMap((row) => secretTextsOf(cipher, row)))];
  }

  return { connectorRef, unsavedRef, connectorRefs, connectorSpecs, connectorSecrets };
}

async function rowsOf(db: Db, bindings: Bindings): Promise<ReadonlyMap<number, ConnectorRow>> {
  const rows = await selectConnectorsById(db, [...new Set(Object.values(bindings))]);
  return new Map(rows.map((row) => [row.id, row]));
}
