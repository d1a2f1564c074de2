import { createContext, useContext } from 'react';
import type { Client } from '../../../client/create-client.ts';

export const ApiContext = createContext<Client | null>(null);

/** The typed client of this server's API, as the signed-in user. */
export function useApi(): Client {
  const api = useContext(ApiContext);
  if (api === null) throw new Error('There is no ApiContext around this component');
  return api;
}
