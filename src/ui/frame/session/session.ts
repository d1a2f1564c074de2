import { queryOptions } from '@tanstack/react-query';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Client } from '../../../client/create-client.ts';

const storageKey = 'headgate.signed-in';

/** What the page remembers of the session, whose cookie no script can see. */
export interface Session {
  /** False only when nobody has signed in with this browser, or they signed out: then the server need not be asked. */
  mayBeSignedIn(): boolean;
  remember(isSignedIn: boolean): void;
  /** Whether the server has refused the session of the user who is looking at the page. */
  hasEnded(): boolean;
  /**
   * The server has refused a request. Whether the session has ended it is asked once more: an answer that comes late may be to what was
   * sent before somebody signed in again.
   */
  reportRefusal(): void;
  reportRenewal(): void;
  subscribe(listener: () => void): () => void;
}

/** `isRefused`: whether the server accepts no request of this browser; false where it cannot be asked. */
export function createSession(isRefused: () => Promise<boolean>): Session {
  const listeners = new Set<() => void>();
  let ended = false;
  let renewals = 0;
  let isAsking = false;
  const set = (next: boolean) => {
    if (ended === next) return;
    ended = next;
    for (const listener of listeners) listener();
  };
  const ask = async () => {
    if (isAsking) return;
    isAsking = true;
    const before = renewals;
    if ((await isRefused()) && renewals === before) set(true);
    isAsking = false;
  };
  return {
    mayBeSignedIn() {
      try {
        return localStorage.getItem(storageKey) !== null;
      } catch {
        return true;
      }
    },
    remember(isSignedIn) {
      try {
        if (isSignedIn) localStorage.setItem(storageKey, '1');
        else localStorage.removeItem(storageKey);
      } catch {
        // Storage may be denied: the server is then always asked.
      }
    },
    hasEnded: () => ended,
    reportRefusal: () => void ask(),
    reportRenewal() {
      renewals += 1;
      set(false);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('There is no SessionContext around this component');
  return session;
}

export function useSessionEnded(): boolean {
  const session = useSession();
  return useSyncExternalStore(session.subscribe, session.hasEnded);
}

const meStaleMs = 60_000;

/** Who is signed in. */
export function meQuery(api: Client) {
  return queryOptions({
    queryKey: ['me'],
    queryFn: ({ signal }) => api.GET('/api/auth/me', { signal }),
    staleTime: meStaleMs,
  });
}
