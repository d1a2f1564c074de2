import type { FastifyRequest } from 'fastify';
import { roleAtLeast, scopeAllows } from '../../http/access.ts';
import { principalOf } from '../../http/guard.ts';
import { actorOf } from '../audit/audit.ts';
import type { WidgetViewer } from './widget-viewer.ts';

const LOOKS_ONLY = 'Your role may look, not change: ask for operator';
const KEY_LOOKS_ONLY =
  'The scopes of this API key may look, not change: it needs "jobs:write" and "jobs:run"';

/** Why a member may neither submit nor act, for people; null where they may. */
export function inputRefusalOf(request: FastifyRequest): string | null {
  const principal = principalOf(request);
  if (!('role' in principal) || !roleAtLeast(principal.role, 'operator')) return LOOKS_ONLY;
  if (principal.type !== 'api_key') return null;
  const allowed = scopeAllows(principal.scopes, 'jobs:write') && scopeAllows(principal.scopes, 'jobs:run');
  return allowed ? null : KEY_LOOKS_ONLY;
}

/** A member as the viewer of a widget. */
export function memberViewer(
  request: FastifyRequest,
  signal: AbortSignal,
  inputRefusal: string | null = inputRefusalOf(request),
): WidgetViewer {
  return { publicView: false, inputRefusal, actor: actorOf(request), signal };
}
