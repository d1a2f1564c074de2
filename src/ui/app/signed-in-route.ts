import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, notFound, redirect } from '@tanstack/react-router';
import { ApiError } from '../../client/api-error.ts';
import type { Client } from '../../client/create-client.ts';
import { AppShell } from '../frame/layout/app-shell.tsx';
import { NotFound } from '../frame/layout/not-found.tsx';
import { meQuery, type Session } from '../frame/session/session.ts';

export interface RouterContext {
  readonly api: Client;
  readonly client: QueryClient;
  readonly session: Session;
}

export const root = createRootRouteWithContext<RouterContext>()({ notFoundComponent: NotFound });

/** Everything but signing in: its screens are shown to those who are signed in. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: ({ context, location }) => requireSession(context, location.href),
  component: AppShell,
});

/** Leads those who are not signed in to where they can, and back. */
export async function requireSession(context: RouterContext, href: string): Promise<void> {
  if (await isSignedIn(context)) return;
  if ((await context.api.GET('/api/auth/setup')).setup_required) throw redirect({ to: '/set-up' });
  throw redirect({ to: '/sign-in', search: href === '/' ? {} : { next: href } });
}

/** What is no number of a record leads nowhere. */
export function requireId(id: string): void {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw notFound();
}

async function isSignedIn({ api, client, session }: RouterContext): Promise<boolean> {
  if (!session.mayBeSignedIn()) return false;
  try {
    await client.ensureQueryData(meQuery(api));
    return true;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error;
    session.remember(false);
    return false;
  }
}
