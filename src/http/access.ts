/** Roles from least to most; each holds all rights of those before it. */
export const ROLES = ['viewer', 'operator', 'editor', 'admin', 'superadmin'] as const;
export type Role = (typeof ROLES)[number];

/** What an API key may be allowed on each resource: the scopes that routes need, and no others. */
const ACTIONS = {
  ai: ['read', 'run'],
  'ai-references': ['read', 'write'],
  'api-keys': ['read', 'write'],
  audit: ['read'],
  branding: ['write'],
  connectors: ['read', 'write'],
  'dashboard-templates': ['read', 'write'],
  dashboards: ['read', 'write'],
  'explorer-presets': ['read', 'write'],
  export: ['read'],
  import: ['write'],
  'job-templates': ['read', 'write'],
  jobs: ['read', 'write', 'run'],
  metrics: ['read', 'write'],
  notifications: ['read', 'write'],
  runs: ['read', 'run'],
  server: ['read', 'write'],
  tasks: ['read', 'write', 'run'],
  triggers: ['read', 'write', 'run'],
  users: ['read', 'write'],
  webhooks: ['read', 'write'],
} as const;
type Resource = keyof typeof ACTIONS;
export type Scope = { [R in Resource]: `${R}:${(typeof ACTIONS)[R][number]}` }[Resource];

export const SCOPES = Object.entries(ACTIONS).flatMap(([resource, actions]) =>
  actions.map((action) => `${resource}:${action}` as Scope),
);

/**
 * The access of a route. Declared on every route, checked on the matched route, never derived from the path's text. `none`:
 * anybody. `pending`: a session after the password, before the code. `account`: any signed-in user, acting on themself.
 * `self`: the same, or any API key, asking who it is.
 * `member`: a role, and for API keys a scope. `local`: the same, or no credential for a direct request from this machine.
 * `executor`: the shared executor key. `share`: a share token in the path, which the handler checks.
 */
export type Access =
  | { readonly kind: 'none' }
  | { readonly kind: 'pending' }
  | { readonly kind: 'account' }
  | { readonly kind: 'self' }
  | { readonly kind: 'member'; readonly role: Role; readonly scope: Scope }
  | { readonly kind: 'local'; readonly role: Role; readonly scope: Scope }
  | { readonly kind: 'executor' }
  | { readonly kind: 'share' };

export const anybody: Access = { kind: 'none' };
export const pending: Access = { kind: 'pending' };
export const account: Access = { kind: 'account' };
export const self: Access = { kind: 'self' };
export const shareToken: Access = { kind: 'share' };

/** A required role, and the scope that an API key also needs: `member('editor', 'tasks:write')`. */
export function member(role: Role, scope: Scope): Access {
  return { kind: 'member', role, scope };
}

/** As `member`, or from this machine without a credential. */
export function local(role: Role, scope: Scope): Access {
  return { kind: 'local', role, scope };
}

export function roleAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** The caller of a request. */
export type Principal =
  | {
      readonly type: 'user';
      readonly id: number;
      readonly name: string;
      readonly role: Role;
      readonly sessionId: number;
    }
  | {
      readonly type: 'api_key';
      readonly id: number;
      readonly userId: number;
      readonly name: string;
      /** The creator's current role: a key never exceeds it. */
      readonly role: Role;
      readonly scopes: readonly string[];
    }
  /** `key`: the fingerprint of the executor key. */
  | { readonly type: 'executor'; readonly name: string; readonly key: string }
  | { readonly type: 'public'; readonly name: string };

/** `<resource>:<action>`, `<resource>:*` or `*`; `write` and `run` include `read` of the same resource. */
export function scopeAllows(scopes: readonly string[], needed: Scope): boolean {
  const [resource, action] = needed.split(':');
  return scopes.some((scope) => {
    if (scope === '*' || scope === needed || scope === `${resource}:*`) return true;
    return action === 'read' && (scope === `${resource}:write` || scope === `${resource}:run`);
  });
}
