import type { LookupFunction } from 'node:net';
import {
  type ClientSession,
  type Db,
  MongoClient,
  type MongoClientOptions,
  type ServerDescription,
} from 'mongodb';
import { createOutbound, type Outbound } from '../../base/outbound/outbound.ts';
import { type OutboundRules, outboundRules } from '../../base/outbound/outbound-policy.ts';
import { type ConnectContext, ConnectorError } from '../driver.ts';
import { trustedCertificates } from '../server-config.ts';
import { cancelled, untilAborted } from '../sql/session-turns.ts';
import { addressOf, type MongoAddress, type MongodbConfig } from './config.ts';
import { leadsNowhere, type MongoUse, mongoFault } from './mongo-fault.ts';

/** Beyond what the database may work: for the way there and back. */
const ANSWER_GRACE_MS = 10_000;
const IDLE_MS = 60_000;

/** What a server says of itself. */
interface Hello {
  readonly setName?: string;
  readonly msg?: string;
  readonly logicalSessionTimeoutMinutes?: number;
}

/** The client of one connector: connected with the first call, then shared by all of them. */
export class MongoAccess {
  readonly database: string;
  readonly operationTimeoutMs: number;
  readonly #address: MongoAddress;
  readonly #options: MongoClientOptions;
  readonly #outbound: Outbound;
  #opened: Promise<MongoClient> | null = null;
  /** The one that connects, or has. */
  #client: MongoClient | null = null;
  #transactions: Promise<boolean> | null = null;

  constructor(config: MongodbConfig, context: ConnectContext) {
    const address = addressOf(config);
    if (typeof address === 'string') throw new ConnectorError('CONFIG', address);
    this.#address = address;
    this.database = address.database;
    this.operationTimeoutMs = config.operation_timeout_ms;
    this.#outbound = createOutbound({ rules: rulesOf(context) });
    if (!address.isSrv) for (const host of address.hosts) checkHost(this.#outbound, host);
    const waitMs = config.connect_timeout_ms ?? context.connectTimeoutMs;
    this.#options = {
      appName: 'headgate',
      ...(address.authSource === undefined ? {} : { authSource: address.authSource }),
      ...(address.user === undefined
        ? {}
        : { auth: { username: address.user, password: address.password ?? '' } }),
      tls: address.ssl !== 'disable',
      ...(address.ssl === 'require' ? { tlsAllowInvalidCertificates: true } : {}),
      ...(address.ssl !== 'disable' && config.ca !== undefined ? { ca: trustedCertificates(config.ca) } : {}),
      serverSelectionTimeoutMS: waitMs,
      connectTimeoutMS: waitMs,
      socketTimeoutMS: config.operation_timeout_ms + ANSWER_GRACE_MS,
      maxPoolSize: config.pool_size,
      maxIdleTimeMS: IDLE_MS,
      bsonRegExp: true,
    };
  }

  /** Runs `use` with the database; ends when the signal aborts, whatever the server does. */
  async run<T>(signal: AbortSignal, use: (db: Db) => Promise<T>, purpose: MongoUse = 'read'): Promise<T> {
    try {
      return await untilAborted(this.db(signal).then(use), signal);
    } catch (error) {
      throw signal.aborted ? cancelled(error) : mongoFault(error, purpose);
    }
  }

  async db(signal: AbortSignal): Promise<Db> {
    if (signal.aborted) throw cancelled(signal.reason);
    const client = await this.client();
    return client.db(this.database);
  }

  /** Whether the server has transactions: a replica set, or a cluster. */
  async hasTransactions(): Promise<boolean> {
    this.#transactions ??= this.client()
      .then((client) => client.db('admin').command({ hello: 1 }) as Promise<Hello>)
      .then(
        ({ setName, msg, logicalSessionTimeoutMinutes }) =>
          (setName !== undefined || msg === 'isdbgrid') && logicalSessionTimeoutMinutes !== undefined,
      );
    this.#transactions.catch(() => {
      this.#transactions = null;
    });
    return this.#transactions;
  }

  /** Runs `work` in a transaction where the server has them, and else without. It may run more than once. */
  async inTransaction<T>(work: (session: ClientSession | undefined) => Promise<T>): Promise<T> {
    if (!(await this.hasTransactions())) return work(undefined);
    const client = await this.client();
    return client.withSession((session) => session.withTransaction(() => work(session)));
  }

  async client(): Promise<MongoClient> {
    this.#opened ??= this.#open();
    this.#opened.catch(() => {
      this.#opened = null;
    });
    return this.#opened;
  }

  async close(): Promise<void> {
    await this.#client?.close();
    await this.#outbound.close();
  }

  async #open(): Promise<MongoClient> {
    const { hosts, isSrv, options } = this.#address;
    const query = new URLSearchParams(options);
    const ports = new Map<string, Set<number>>();
    const lookup: LookupFunction = (name, given, done) =>
      lookupForAll(this.#outbound, [...(ports.get(name) ?? [27_017])], name, given, done);
    const client = new MongoClient(`mongodb${isSrv ? '+srv' : ''}://${hosts.join(',')}/?${query}`, {
      ...this.#options,
      lookup,
    });
    this.#client = client;
    client.on('serverOpening', ({ address }) => {
      const { host, port } = splitHost(address);
      ports.set(host, (ports.get(host) ?? new Set<number>()).add(port));
    });
    // The last moment before the driver connects to members that a server has named.
    client.on('serverDescriptionChanged', ({ newDescription }) =>
      dropRefused(client, newDescription, this.#outbound),
    );
    try {
      return await connected(client);
    } catch (error) {
      await client.close();
      throw error;
    }
  }
}

/**
 * The client once it has connected. It waits for a server that is busy or elected, but not where each of them leads nowhere, or is no
 * member of the replica set that is asked for: the driver forgets those.
 */
function connected(client: MongoClient): Promise<MongoClient> {
  let isOfAnotherSet = false;
  client.on('serverHeartbeatSucceeded', ({ reply }) => {
    const { replicaSet } = client.options;
    isOfAnotherSet ||= replicaSet !== undefined && (reply as Hello).setName !== replicaSet;
  });
  const nowhere = new Promise<never>((_, reject) => {
    client.on('topologyDescriptionChanged', ({ newDescription }) => {
      const errors = [...newDescription.servers.values()].map(({ error }) => error);
      if (!errors.every(leadsNowhere)) return;
      if (isOfAnotherSet) reject(otherSet(client.options.replicaSet));
      else if (errors.length > 0) reject(errors[0]);
    });
  });
  return Promise.race([client.connect(), nowhere]);
}

function otherSet(name = ''): ConnectorError {
  const message = `The server is not a member of the replica set "${name}"; check "replica_set", or "replicaSet" in "url"`;
  return new ConnectorError('CONFIG', message);
}

function rulesOf({ outbound: access }: ConnectContext): OutboundRules {
  const { policy, allow, ownPorts } = access ?? { policy: 'allowlist' as const, allow: [], ownPorts: [] };
  return outboundRules({ policy, allow }, ownPorts);
}

/** Throws `CONFIG` where the policy says already that it will not be let through. */
function checkHost(outbound: Outbound, host: string): void {
  const { host: name, port } = splitHost(host);
  try {
    outbound.checkUrl(`http://${name.includes(':') ? `[${name}]` : name}:${port}`);
  } catch (cause) {
    throw new ConnectorError('CONFIG', cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function splitHost(address: string): { readonly host: string; readonly port: number } {
  const [, host = address, port = '27017'] = /^(.*?)(?::(\d+))?$/.exec(address) ?? [];
  return { host: host.replace(/^\[|\]$/g, '').toLowerCase(), port: Number(port) };
}

/** Sockets look no literal up: a member named by an address that may not be reached is forgotten before a socket to it is made. */
function dropRefused(
  client: MongoClient,
  { hosts, passives, arbiters }: ServerDescription,
  outbound: Outbound,
): void {
  const topology = (
    client as unknown as { topology?: { s: { description: { servers: Map<string, unknown> } } } }
  ).topology;
  for (const address of [...hosts, ...passives, ...arbiters]) {
    try {
      checkHost(outbound, address);
    } catch {
      topology?.s.description.servers.delete(address);
    }
  }
}

/** A name is looked up for each port that it is used with: all must be let through. */
function lookupForAll(
  outbound: Outbound,
  [port = 0, ...more]: readonly number[],
  name: string,
  options: Parameters<LookupFunction>[1],
  done: Parameters<LookupFunction>[2],
): void {
  outbound.lookup(name, port)(name, options, (error, ...found) => {
    if (error !== null || more.length === 0) done(error, ...found);
    else lookupForAll(outbound, more, name, options, done);
  });
}
