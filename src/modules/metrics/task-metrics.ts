import { sha256 } from '../../base/ids.ts';
import { METRICS_CONFIGS, type MetricsBackendType } from '../../metering/backend-config.ts';
import type { BackendSettings } from '../../metering/open-backend.ts';

const TASKS_REMEMBERED_MAX = 1_000;

/** Reads the `metrics` section of a task in the worker host, where no YAML can stop the control plane; null if it has none. */
export type ParseTaskMetrics = (
  yaml: string,
) => Promise<
  readonly { readonly backend: string; readonly config: Readonly<Record<string, unknown>> }[] | null
>;

/** The checked backends that a task names itself; null if it leaves them to the server. */
export type TaskMetrics = (yaml: string) => Promise<readonly BackendSettings[] | null>;

/**
 * A cache of tasks' own `metrics` sections, by YAML. Most tasks have none, which their text shows without being parsed. An
 * entry with a config that does not fit its backend is left out: the validator refuses it, so only older tasks can have it.
 */
export function createTaskMetrics(parse: ParseTaskMetrics): TaskMetrics {
  const known = new Map<string, Promise<readonly BackendSettings[] | null>>();
  return (yaml) => {
    if (!mayHaveSection(yaml)) return Promise.resolve(null);
    const key = sha256(yaml);
    const before = known.get(key);
    if (before !== undefined) return before;
    const section = parse(yaml).then((entries) => entries?.flatMap(checked) ?? null);
    section.catch(() => known.delete(key));
    known.set(key, section);
    const [oldest] = known.keys();
    if (known.size > TASKS_REMEMBERED_MAX && oldest !== undefined) known.delete(oldest);
    return section;
  };
}

/** The key may be written with escapes, in quotes. */
function mayHaveSection(yaml: string): boolean {
  return yaml.includes('metrics') || /\\[xuU]/.test(yaml);
}

function checked({ backend, config }: { backend: string; config: unknown }): BackendSettings[] {
  const type = backend as MetricsBackendType;
  const parsed = METRICS_CONFIGS[type]?.safeParse(config);
  return parsed?.success ? [{ backend: type, config: parsed.data }] : [];
}
