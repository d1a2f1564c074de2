import type { RunForeach } from '../../base/run-foreach.ts';
import type { RunHelp } from '../../base/run-parts.ts';
import type { RunReplay } from '../../base/run-report.ts';
import type { ConnectorSpec, Fenced, RunSpec } from '../control-plane.ts';
import { toOutcome } from './lease.ts';
import { fromJson, recordFromJson, toJson } from './scalars.ts';

interface WireConnectorSpec {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly config_json: string;
}

export interface WireRunSpec {
  readonly outcome: string;
  readonly task_name: string;
  readonly task_version: number;
  readonly yaml: string;
  readonly args_json: string;
  readonly job_config_json: string;
  readonly connectors: Readonly<Record<string, WireConnectorSpec>>;
  readonly run_json: string;
  readonly timeout_ms: number;
  readonly metrics_json: string;
  readonly args_template_json: string;
  readonly when_expr: string;
  readonly secrets: readonly string[];
  /** A control plane of the release before has none. */
  readonly replay: RunReplay | null;
  /** The same. */
  readonly tasks?: Readonly<Record<string, string>>;
  readonly keeps_parts?: boolean;
  readonly foreach?: RunForeach | null;
  readonly help?: (Omit<RunHelp, 'order'> & { readonly order_json: string }) | null;
}

function toConnector(wire: WireConnectorSpec): ConnectorSpec {
  const { id, name, type } = wire;
  return { id, name, type, config: fromJson(wire.config_json, 'config_json') };
}

function toHelp(wire: NonNullable<WireRunSpec['help']> | null): RunHelp | null {
  if (wire === null) return null;
  const { order_json, ...help } = wire;
  return { ...help, order: fromJson(order_json, 'order_json') };
}

export function toRunSpec(wire: WireRunSpec): Fenced<RunSpec> {
  const outcome = toOutcome(wire.outcome);
  if (outcome !== 'ACCEPTED') return { outcome };
  const metrics = fromJson(wire.metrics_json, 'metrics_json') ?? [];
  const connectors = Object.entries(wire.connectors).map(
    ([local, spec]) => [local, toConnector(spec)] as const,
  );
  return {
    outcome,
    value: {
      task_name: wire.task_name,
      task_version: wire.task_version,
      yaml: wire.yaml,
      args: recordFromJson(wire.args_json, 'args_json'),
      job_config: recordFromJson(wire.job_config_json, 'job_config_json'),
      connectors: Object.fromEntries(connectors),
      run: recordFromJson(wire.run_json, 'run_json'),
      timeout_ms: wire.timeout_ms,
      metrics: metrics as RunSpec['metrics'],
      args_template: fromJson(wire.args_template_json, 'args_template_json'),
      when_expr: wire.when_expr,
      secrets: wire.secrets,
      replay: wire.replay,
      tasks: wire.tasks ?? {},
      keeps_parts: wire.keeps_parts ?? false,
      foreach: wire.foreach ?? null,
      help: toHelp(wire.help ?? null),
    },
  };
}

export function fromRunSpec(fenced: Fenced<RunSpec>): object {
  if (fenced.outcome !== 'ACCEPTED') return { outcome: fenced.outcome };
  const { args, args_template, job_config, connectors, run, metrics, foreach, help, ...rest } = fenced.value;
  const specs = Object.entries(connectors).map(([local, { config, ...spec }]) => [
    local,
    { ...spec, config_json: toJson(config) },
  ]);
  return {
    ...rest,
    outcome: fenced.outcome,
    args_json: toJson(args),
    job_config_json: toJson(job_config),
    connectors: Object.fromEntries(specs),
    run_json: toJson(run),
    metrics_json: toJson(metrics),
    args_template_json: toJson(args_template),
    ...(foreach !== null && { foreach }),
    ...(help !== null && { help: { ...help, order_json: toJson(help.order) } }),
  };
}
