import type { Resource } from './driver.ts';

/** An account of the customer's that an integration platform holds. */
export interface IntegratedAccount {
  readonly id: string;
  readonly label: string | null;
  readonly tenant_id: string;
  readonly integration_name: string;
  readonly status: string | null;
}

export interface AccountsRequest {
  readonly limit: number;
  readonly cursor?: string;
  /** Beginning of an id, or a part of a tenant id. */
  readonly q?: string;
  /** Name of an integration. */
  readonly integration?: string;
}

export interface AccountsPage {
  readonly accounts: readonly IntegratedAccount[];
  readonly next_cursor: string | null;
}

/** What of a catalogue is asked for; a driver ignores what its kind does not know. */
export interface CatalogueRequest {
  readonly accountId?: string;
  readonly surface?: 'all' | 'unified' | 'proxy';
  /** Nothing that was kept of an earlier answer is used. */
  readonly refresh?: boolean;
}

/** Resources, or a fixed list in their place with the reason for which the live one did not come. */
export interface Catalogue {
  readonly resources: readonly Resource[];
  readonly fallback: boolean;
  readonly schema_error?: string;
}

/** How an integration's OAuth app stands. There is no secret in it. */
export interface OauthApp {
  readonly needs_byoa: boolean;
  readonly configured: boolean;
  readonly oauth_app_mode?: 'platform_default' | 'byoa' | null;
  readonly client_id?: string;
  readonly format?: string | null;
  readonly installed_integration_id?: string;
}

export interface OauthAppInput {
  readonly client_id: string;
  readonly client_secret: string;
  readonly format?: string;
}

/** The customer's own OAuth app at an integration platform, which alone keeps its secret. */
export interface OauthApps {
  get(signal: AbortSignal): Promise<OauthApp>;
  /** How it stands afterwards. */
  put(input: OauthAppInput, signal: AbortSignal): Promise<OauthApp>;
}
