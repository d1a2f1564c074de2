import type { Client } from '../client/create-client.ts';
import { CommandError } from './kit/command-error.ts';
import { type CommandOutput, printable } from './kit/command-output.ts';
import { EXIT } from './kit/exit-code.ts';
import { perform } from './kit/perform.ts';
import { replaceFile } from './kit/replace-file.ts';
import { clientOf, type ServerOptions } from './server/server-client.ts';

export interface ExportOptions extends ServerOptions {
  /** Names. */
  readonly task: readonly string[];
  readonly template: readonly string[];
  readonly all: boolean;
  /** Those that active jobs of the templates bind; with `all` every one. Never their secrets. */
  readonly connectors: boolean;
  readonly format: 'yaml' | 'zip';
  /** `-`: standard output. */
  readonly out: string;
}

const STANDARD_OUTPUT = '-';
const EXPORT_MS_MAX = 120_000;

/**
 * `headgate export`: definitions of a server as a bundle, to standard output or into a file that is replaced whole. The same
 * definitions give the same bytes. With `--json` the bundle is a field, as `POST /api/import` takes it, or the file is named.
 */
export async function exportBundle(options: ExportOptions): Promise<number> {
  return perform(options, async (out) => {
    requireSense(options, out);
    const bytes = await bundleOf(clientOf(options, EXPORT_MS_MAX), options);
    const { format, out: file } = options;
    if (file !== STANDARD_OUTPUT) {
      replaceFile(file, bytes);
      if (out.isJson) out.json({ format, file, bytes: bytes.length });
      out.line(`wrote the bundle to ${printable(file)}: ${bytes.length} bytes`);
    } else if (out.isJson) {
      out.json(
        format === 'zip' ? { bundle_zip: bytes.toString('base64') } : { bundle: bytes.toString('utf8') },
      );
    } else {
      process.stdout.write(bytes);
    }
    return EXIT.ok;
  });
}

function requireSense(
  { all, task, template, connectors, format, out: file }: ExportOptions,
  out: CommandOutput,
) {
  const named = task.length + template.length;
  const wrong = (message: string) => new CommandError(EXIT.usage, message);
  if (all && named > 0)
    throw wrong('--all already includes every task and template: remove --task and --template');
  if (!all && named === 0) throw wrong('Choose what to export: --task, --template or --all');
  if (connectors && !all && template.length === 0)
    throw wrong('--connectors adds the connectors of templates’ jobs: add --template or --all');
  if (format === 'zip' && file === STANDARD_OUTPUT && !out.isJson && process.stdout.isTTY === true)
    throw wrong('A zip is not printed to a terminal: use --out, or redirect the output');
}

async function bundleOf(api: Client, options: ExportOptions): Promise<Buffer> {
  const { all, task, template, connectors, format } = options;
  const answer = await api.POST('/api/export', {
    body: {
      tasks: all ? '*' : [...task],
      job_templates: all ? '*' : [...template],
      include_connectors: connectors && all ? '*' : connectors,
      format,
    },
    parseAs: 'arrayBuffer',
  });
  return Buffer.from(answer as unknown as ArrayBuffer);
}
