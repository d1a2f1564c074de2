import type { FastifyRequest } from 'fastify';
import { STRANGERS_BODY_BYTES_MAX } from '../../http/guard.ts';
import { type Actor, actorOf } from '../audit/audit.ts';
import type { DashboardDocuments } from '../dashboard-widgets/dashboard-documents.ts';
import type { WidgetViewer } from '../dashboard-widgets/widget-viewer.ts';
import type { DashboardRow } from '../dashboards/dashboard.ts';
import type { ShareLock } from './share-lock.ts';
import type { Shares } from './share-service.ts';

const READ_ONLY = 'This dashboard is read-only';

export interface PublicLinksDeps {
  readonly shares: Shares;
  readonly lock: ShareLock;
  readonly documents: DashboardDocuments;
  /** The server's own switch of public input. */
  readonly inputEnabled: () => Promise<boolean>;
}

export type PublicLinks = ReturnType<typeof createPublicLinks>;

/** Who comes through a share link: the dashboard that they see, what they may do there, and as whom it is written down. */
export function createPublicLinks({ shares, lock, documents, inputEnabled }: PublicLinksDeps) {
  /** The dashboard of the token in the path. `NOT_FOUND` for any token that is not good, `AUTH_ERROR` for a locked link. */
  async function open(request: FastifyRequest, token: string): Promise<DashboardRow> {
    const row = await shares.byToken(token);
    lock.requireOpen(row, request.cookies);
    return row;
  }

  /** As a hook: refuses a bad or locked link before a body is read that is larger than what any stranger may send. */
  async function admit(request: FastifyRequest): Promise<void> {
    if (!isSmall(request)) await open(request, (request.params as { token: string }).token);
  }

  /** Why nothing may be sent in through the link, for people; null where the document and the server both allow it. */
  async function inputRefusal(row: DashboardRow): Promise<string | null> {
    return documents.allowsPublicInput(row) && (await inputEnabled()) ? null : READ_ONLY;
  }

  async function viewerOf(
    request: FastifyRequest,
    row: DashboardRow,
    signal: AbortSignal,
  ): Promise<WidgetViewer> {
    return {
      publicView: true,
      inputRefusal: await inputRefusal(row),
      actor: publicActorOf(request, row),
      signal,
    };
  }

  return { open, admit, inputRefusal, viewerOf };
}

function isSmall({ headers }: FastifyRequest): boolean {
  const bytes = Number(headers['content-length'] ?? Number.NaN);
  return headers['content-encoding'] === undefined && bytes <= STRANGERS_BODY_BYTES_MAX;
}

/** Nobody known, through the link of this dashboard. */
export function publicActorOf(request: FastifyRequest, row: DashboardRow): Actor {
  return { ...actorOf(request), name: `share link of dashboard ${row.id}` };
}
