import type { Task } from '../../language/task/parse-task.ts';
import { CommandError } from '../kit/command-error.ts';
import { EXIT } from '../kit/exit-code.ts';
import { connectorIdOf } from '../operate/find-by-name.ts';
import { readRecord } from '../run/local-connectors.ts';
import { readArguments } from '../run/read-arguments.ts';
import { clientOf, type ServerOptions } from '../server/server-client.ts';

export interface ServerPreviewOptions extends ServerOptions {
  readonly record?: string;
  readonly arg: readonly string[];
  /** `name=<id or name of a saved connector>`. */
  readonly connector: readonly string[];
  readonly connectors?: string;
  readonly config?: string;
  readonly fileRoot?: readonly string[];
  readonly plugin: readonly string[];
  readonly task: readonly string[];
}

/** Has a server preview a task with its saved connectors. Throws `CommandError` for options that only a local preview has. */
export async function previewOnServer(yaml: string, task: Task, rows: number, options: ServerPreviewOptions) {
  const local = localOption(options);
  if (local !== undefined)
    throw new CommandError(EXIT.usage, `${local} is for a local preview: remove it, or remove --remote`);
  const api = clientOf(options);
  const connectors: Record<string, number> = {};
  for (const text of options.connector) {
    const at = text.indexOf('=');
    if (at <= 0)
      throw new CommandError(
        EXIT.usage,
        `--connector "${text}" must be written as name=<id or name of a saved connector>`,
      );
    connectors[text.slice(0, at)] = await connectorIdOf(api, text.slice(at + 1));
  }
  const body = {
    yaml_content: yaml,
    rows,
    args: { ...readArguments(options.arg, task.args) },
    job_config: options.config === undefined ? {} : { ...readRecord(options.config) },
    connectors,
    record: null,
  };
  return api.POST('/api/tasks/preview', { body });
}

function localOption({
  record,
  connectors,
  fileRoot,
  plugin,
  task,
}: ServerPreviewOptions): string | undefined {
  if (record !== undefined) return '--record';
  if (connectors !== undefined) return '--connectors';
  if (fileRoot !== undefined) return '--file-root';
  if (plugin.length > 0) return '--plugin';
  return task.length > 0 ? '--task' : undefined;
}
