import { deleteSecretsOf } from '../../modules/auth/auth-store.ts';
import { totpContext } from '../../modules/auth/totp-secrets.ts';
import { connectorOwner } from '../../modules/connectors/connector-secrets.ts';
import { secretContext } from '../../modules/definitions/sealed-config.ts';
import { metricsConfigOwner } from '../../modules/metrics/metrics-config.ts';
import { SERVER_SETTINGS_KEY } from '../../modules/server/server-config-store.ts';
import { serverSettingContext } from '../../modules/server/server-config-values.ts';
import { shareTokenContext } from '../../modules/share-links/share-service.ts';
import { updateShare } from '../../modules/share-links/share-store.ts';
import { clearTotp } from '../../modules/users/user-store.ts';
import { webhookSecretContext } from '../../modules/webhooks/webhook-secret.ts';
import type { Schema } from '../../store/schema.ts';
import type { Tx } from '../../store/store.ts';
import { CANARY } from './server-keys.ts';

/** A column of the state store that holds ciphertext. */
export interface SealedColumn {
  readonly table: keyof Schema;
  /** The column that names a row, and the order in which rows are taken. */
  readonly key: 'id' | 'key' | 'name';
  readonly column: string;
  /**
   * `value`: the column is one ciphertext. `map`: it is a JSON map of secret key to ciphertext. `secrets`: a JSON object has such a
   * map under `secrets`, beside what anybody may read.
   */
  readonly form: 'value' | 'map' | 'secrets';
  /** What a ciphertext is sealed for; `secret` is the key of a map, and empty for a value. */
  readonly contextOf: (row: number | string, secret: string) => string;
  /** Rows of the table that hold ciphertext, where others hold something else. */
  readonly only?: string;
  /** Of a `value`: what becomes of a row whose ciphertext cannot be read any more. Of the other forms, those keys go. */
  readonly giveUp?: (tx: Tx, row: number, now: number) => Promise<unknown>;
}

/**
 * Every column with ciphertext; a rotation of keys goes through all of them. Tests find columns of the schema that are missing
 * here, and plant a secret through every service that encrypts one.
 */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'users',
    key: 'id',
    column: 'totp_secret_encrypted',
    form: 'value',
    contextOf: (id) => totpContext(Number(id)),
    giveUp: clearTotp,
  },
  {
    table: 'connectors',
    key: 'id',
    column: 'secrets_json',
    form: 'map',
    contextOf: (id, secret) => secretContext(connectorOwner(id), secret),
  },
  {
    table: 'metrics_configs',
    key: 'id',
    column: 'secrets_json',
    form: 'map',
    contextOf: (id, secret) => secretContext(metricsConfigOwner(id), secret),
  },
  {
    table: 'dashboards',
    key: 'id',
    column: 'share_token_encrypted',
    form: 'value',
    contextOf: (id) => shareTokenContext(Number(id)),
    giveUp: (tx, id) => updateShare(tx, id, null),
  },
  {
    table: 'webhooks',
    key: 'id',
    column: 'secrets_json',
    form: 'map',
    contextOf: (id, secret) => webhookSecretContext(Number(id), secret),
  },
  {
    table: 'server_config',
    key: 'key',
    column: 'value_json',
    form: 'secrets',
    contextOf: (_, setting) => serverSettingContext(setting),
    only: SERVER_SETTINGS_KEY,
  },
  // Last: while it needs the old key, so may others. One that cannot be read is removed, and the next start makes another.
  {
    table: 'secrets',
    key: 'name',
    column: 'value',
    form: 'value',
    contextOf: () => CANARY,
    only: CANARY,
    giveUp: (tx) => deleteSecretsOf(tx, CANARY, null),
  },
];
