export interface ResourceInfo {
  readonly name: string;
  readonly type: string;
}

/** `fallback`: a fixed list, since the live one did not come; `schema_error` says why. */
export interface ResourceList {
  readonly resources: readonly ResourceInfo[];
  readonly fallback: boolean;
  readonly schema_error?: string;
}

export interface CatalogueRequest {
  readonly accountId?: string;
  readonly surface?: 'all' | 'unified' | 'proxy';
  readonly refresh?: boolean;
}

export interface AccountsRequest {
  readonly limit: number;
  readonly cursor?: string;
  readonly q?: string;
  readonly integration?: string;
}

export interface AccountsPage {
  readonly accounts: readonly {
    readonly id: string;
    readonly label: string | null;
    readonly tenant_id: string;
    readonly integration_name: string;
    readonly status: string | null;
  }[];
  readonly next_cursor: string | null;
}

export interface OauthAppInfo {
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
