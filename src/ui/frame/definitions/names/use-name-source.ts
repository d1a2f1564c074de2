import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { useApi } from '../../state/api-context.ts';
import { type NameSource, noNames } from '../completion/name-source.ts';
import type { ChosenConnectors } from './use-chosen-connectors.ts';

const freshMs = 300_000;
const retryMs = 30_000;

export interface NameSourceState {
  readonly names: NameSource;
  /** The text's names of connectors that did not answer when they were asked last. */
  readonly unreachable: readonly string[];
}

/** Names of tables and columns, asked from the chosen connectors when they are needed, and kept for some minutes. */
export function useNameSource(chosen: ChosenConnectors): NameSourceState {
  const api = useApi();
  const client = useQueryClient();
  const [failed, setFailed] = useState<ReadonlyMap<string, number>>(new Map());
  // By connector: when it may be asked again.
  const waits = useRef(new Map<number, number>());
  const names = useMemo((): NameSource => {
    const ask = async (name: string, resource?: string) => {
      const id = chosen[name];
      if (id === undefined || (waits.current.get(id) ?? 0) > Date.now()) return null;
      try {
        const answer = await client.fetchQuery({
          queryKey: ['connector', id, 'resources', ...(resource === undefined ? [] : [resource])],
          queryFn: ({ signal }) =>
            api.POST('/api/connectors/{id}/introspect', {
              params: { path: { id } },
              body: resource === undefined ? {} : { resource },
              signal,
            }),
          staleTime: freshMs,
        });
        setFailed((before) => (before.get(name) === id ? without(before, name) : before));
        return answer;
      } catch {
        waits.current.set(id, Date.now() + retryMs);
        setFailed((before) => new Map([...before, [name, id]]));
        return null;
      }
    };
    if (Object.keys(chosen).length === 0) return noNames;
    return {
      resources: async (name) => (await ask(name))?.resources ?? [],
      columns: async (name, resource) => (await ask(name, resource))?.columns ?? [],
    };
  }, [api, client, chosen]);
  const unreachable = [...failed].filter(([name, id]) => chosen[name] === id).map(([name]) => name);
  return { names, unreachable };
}

function without(map: ReadonlyMap<string, number>, name: string): ReadonlyMap<string, number> {
  return new Map([...map].filter(([key]) => key !== name));
}
