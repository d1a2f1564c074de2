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
  /** Prefix of an id, or part of a tenant id. */
  readonly q?: string;
  /** Name of an integration. */
  readonly integration?: string;
}

export interface AccountsPage {
  readonly accounts: readonly IntegratedAccount[];
  readonly next_cursor: string | null;
}

/** The part of a catalogue to return; a driver ignores what its kind does not have. */
export interface CatalogueRequest {
  readonly accountId?: string;
  readonly surface?: 'all' | 'unified' | 'proxy';
  /** Bypasses cached answers. */
  readonly refresh?: boolean;
}

/** Resources: the live list, or a fixed one with the reason why the live list is unavailable. */
export interface Catalogue {
  readonly resources: readonly { readonly name: string; readonly type: string }[];
  readonly fallback: boolean;
  readonly schema_error?: string;
}

/** The state of an integration's OAuth app, without its secret. */
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

/** The customer's own OAuth app at an integration platform, the only place that stores its secret. */
export interface OauthApps {
  get(signal: AbortSignal): Promise<OauthApp>;
  /** Resolves to the new state. */
  put(input: OauthAppInput, signal: AbortSignal): Promise<OauthApp>;
}
