import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../frame/state/api-context.ts';
import type { ConnectorType } from '../parts/use-connector-types.ts';
import { type ConfigField, fieldsOf, withPluginFields } from './config-schema.ts';

/** Type whose programs tell which configuration they take. */
const specified = 'airbyte';
const staleMs = 60_000;

export interface PluginForm {
  readonly fields: readonly ConfigField[];
  readonly isPending: boolean;
  /** Why the program does not tell: its configuration is typed as JSON then. */
  readonly error: Error | null;
}

/** The fields of a type. Where a program of the settings does the work, its name is a choice, and its own fields are among them. */
export function usePluginForm({ type, config }: ConnectorType, plugin: string): PluginForm {
  const api = useApi();
  const fields = fieldsOf(config);
  const names = useQuery({
    queryKey: ['plugins'],
    queryFn: ({ signal }) => api.GET('/api/connectors/plugins', { signal }),
    select: ({ result }) => result.map(({ name }) => name),
    enabled: fields.some(({ key }) => key === 'plugin'),
    staleTime: staleMs,
  });
  const isKnown = names.data?.includes(plugin) === true;
  const spec = useQuery({
    queryKey: ['plugins', plugin, 'spec'],
    queryFn: ({ signal }) =>
      api.GET('/api/connectors/plugins/{name}/spec', { params: { path: { name: plugin } }, signal }),
    enabled: type === specified && isKnown,
    staleTime: staleMs,
    retry: false,
  });
  const own = spec.data === undefined ? fields : withPluginFields(fields, spec.data.config);
  return {
    // One that only executors have, or that has gone, stays what it is.
    fields:
      (names.data ?? []).length === 0 || (plugin !== '' && !isKnown)
        ? own
        : own.map((field) => chosen(field, names.data ?? [])),
    isPending: spec.isLoading,
    error: spec.error,
  };
}

function chosen(field: ConfigField, names: readonly string[]): ConfigField {
  return field.key === 'plugin' ? { ...field, kind: 'choice', choices: names } : field;
}
