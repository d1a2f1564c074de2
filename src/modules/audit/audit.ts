import type { FastifyRequest } from 'fastify';
import { isRecord } from '../../base/json.ts';
import type { Principal, Role } from '../../http/access.ts';

/** The author of a change, as the audit log stores it. */
export interface Actor {
  readonly type: Principal['type'] | 'system' | 'cli';
  readonly id: number | null;
  readonly name: string;
  readonly address: string | null;
  readonly requestId: string | null;
  /** Of a person, or of the one whose API key it is. */
  readonly role?: Role;
}

/** One change. Secrets in `diff` are masked before it is stored. */
export interface AuditEntry {
  /** `task.create`, `connector.update`: noun and verb. */
  readonly action: string;
  readonly resourceType: string;
  readonly resourceId: number | string | null;
  readonly diff?: Readonly<Record<string, unknown>>;
  /** Default `success`. */
  readonly outcome?: 'success' | 'denied' | 'failed';
}

/** The larger change that a change is part of, such as an import; added to the `diff` of its audit row. */
export type AuditOrigin = Readonly<Record<string, string>>;
/** Whoever uses the command line on the server's machine, with access to its store. */
export const cliActor: Actor = { type: 'cli', id: null, name: 'headgate', address: null, requestId: null };

/** Changes made by the server itself. */
export const systemActor: Actor = {
  type: 'system',
  id: null,
  name: 'headgate',
  address: null,
  requestId: null,
};

export function actorOf(request: FastifyRequest): Actor {
  const principal = request.principal;
  const origin = { address: request.ip, requestId: request.id };
  if (principal === null) return { type: 'public', id: null, name: 'anonymous', ...origin };
  return {
    type: principal.type,
    id: 'id' in principal ? principal.id : null,
    name: principal.name,
    ...('role' in principal && { role: principal.role }),
    ...origin,
  };
}

const SECRET_KEY = /password|secret|token|api_?key|private|credential|encrypted|hash/i;
const DIFF_TEXT_MAX = 4_000;

/** `value` with every secret-looking key masked and long texts cut. */
export function redact(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > DIFF_TEXT_MAX ? `${value.slice(0, DIFF_TEXT_MAX)}…` : value;
  if (Array.isArray(value)) return value.map(redact);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      SECRET_KEY.test(key) && inner !== null ? '********' : redact(inner),
    ]),
  );
}
