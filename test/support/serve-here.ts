import type { Test } from 'tap';
import { type ApiClient, createApiClient } from './api-client.ts';
import { type FullApp, startFullApp } from './full-app.ts';
import type { SignedIn } from './visitor.ts';

/** A whole server without an executor, in the test's process, used over HTTP as anybody outside would. */
export interface ServedHere {
  readonly app: FullApp;
  /** The first superadmin. */
  readonly root: SignedIn;
  readonly url: string;
  /** With an API key of the first superadmin. */
  readonly api: ApiClient;
  readonly apiKey: string;
  /** Whose files its connectors may use. */
  readonly folder: string;
}

/** Starts a server on a fresh folder with an empty store, for a tenth of what `serve` takes; stopped when the test ends. */
export async function serveHere(t: Test): Promise<ServedHere> {
  const folder = t.testdir({});
  const app = await startFullApp(t, undefined, { SVC_FILE_ROOTS: folder });
  const root = await app.superadmin();
  const { body } = await root.visitor.post<{ token: string }>('/api/api-keys', { name: 'Test' });
  const url = app.plane.httpAddress;
  const api = createApiClient({ baseUrl: url, key: body.token });
  return { app, root, url, api, apiKey: body.token, folder };
}
