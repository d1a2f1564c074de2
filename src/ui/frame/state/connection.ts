import { createContext, useContext, useSyncExternalStore } from 'react';

export type ConnectionState = 'ok' | 'lost';

/** Whether the server answers, as the last request showed. */
export interface Connection {
  current(): ConnectionState;
  report(state: ConnectionState): void;
  /** A request had no answer: the server is asked, and lost where that has none either. Resolves with whether it is. */
  doubt(): Promise<boolean>;
  subscribe(listener: () => void): () => void;
}

interface ConnectionDeps {
  /** Whether the server answers now. */
  isBack(): Promise<boolean>;
  /** Called once it does again. */
  onBack(): void;
}

const askAgainMs = 2_000;

/** While the server is lost, it is asked every two seconds. */
export function createConnection({ isBack, onBack }: ConnectionDeps): Connection {
  const listeners = new Set<() => void>();
  let state: ConnectionState = 'ok';
  /** Requests that fail together ask once. */
  let doubted: Promise<boolean> | null = null;
  const ask = async () => {
    if (state === 'ok') return;
    if (await isBack()) report('ok');
    else setTimeout(() => void ask(), askAgainMs);
  };
  function report(next: ConnectionState): void {
    if (next === state) return;
    state = next;
    for (const listener of listeners) listener();
    if (next === 'lost') setTimeout(() => void ask(), askAgainMs);
    else onBack();
  }
  async function askOnce(): Promise<boolean> {
    const answers = await isBack();
    doubted = null;
    if (!answers) report('lost');
    return !answers;
  }
  return {
    current: () => state,
    report,
    doubt() {
      doubted ??= askOnce();
      return doubted;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const ConnectionContext = createContext<Connection | null>(null);

export function useConnection(): ConnectionState {
  const connection = useContext(ConnectionContext);
  if (connection === null) throw new Error('There is no ConnectionContext around this component');
  return useSyncExternalStore(connection.subscribe, connection.current);
}
