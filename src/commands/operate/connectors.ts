import { troubledConnectors } from '../../client/troubled-connectors.ts';
import { printable } from '../kit/command-output.ts';
import { EXIT } from '../kit/exit-code.ts';
import { perform } from '../kit/perform.ts';
import { clientOf, type ServerOptions } from '../server/server-client.ts';
import { cell, durationCell, printTable, timeCell } from './cells.ts';
import { connectorIdOf } from './find-by-name.ts';
import { firstOf, tellMore } from './first-of.ts';

/** A test may wait for a server that does not answer. */
const TEST_MS_MAX = 120_000;

export interface ConnectorsOptions extends ServerOptions {
  readonly type?: string;
  readonly limit: number;
}

/** `headgate connectors`: connectors by name. */
export async function listConnectors(text: string | undefined, options: ConnectorsOptions): Promise<number> {
  return perform(options, async (out) => {
    const api = clientOf(options);
    const { records, hasMore } = await firstOf(options.limit, (limit, cursor) => {
      const query = {
        limit,
        sort: 'name' as const,
        ...(cursor !== undefined && { cursor }),
        ...(text !== undefined && { q: text }),
        ...(options.type !== undefined && { type: options.type }),
      };
      return api.GET('/api/connectors', { params: { query } });
    });
    if (out.isJson) {
      out.json({ result: records });
      return EXIT.ok;
    }
    const troubled = await troubledConnectors(api);
    const rows = records.map(({ id, name, type, updated_at, description }) => [
      String(id),
      cell(name),
      type,
      cell(troubled.get(id) ?? ''),
      timeCell(updated_at),
      cell(description),
    ]);
    printTable(out, ['id', 'connector', 'type', 'health', 'changed', 'description'], rows, {
      textColumns: 6,
      none: 'No matching connectors.',
    });
    tellMore(out, hasMore);
    return EXIT.ok;
  });
}

/** `headgate connectors health`: whether a connector has worked in the last 24 hours, by id or name. */
export async function connectorHealth(connector: string, options: ServerOptions): Promise<number> {
  return perform(options, async (out) => {
    const api = clientOf(options);
    const id = await connectorIdOf(api, connector);
    const health = await api.GET('/api/connectors/{id}/health', { params: { path: { id } } });
    if (out.isJson) out.json(health);
    const { status, since, last_success_at, last_error, last_test, totals } = health;
    out.line(`Connector ${id}: ${status}${since === null ? '' : ` since ${timeCell(since)}`}`);
    out.line(`Last success: ${last_success_at === null ? 'none' : timeCell(last_success_at)}`);
    const run = last_error?.run_id == null ? '' : ` (run ${last_error.run_id})`;
    const error =
      last_error &&
      `${timeCell(last_error.at)}${run} ${printable(last_error.code)}: ${printable(last_error.message)}`;
    out.line(`Last error: ${error ?? 'none'}`);
    const test = last_test && `${timeCell(last_test.at)}: ${printable(last_test.message)}`;
    out.line(`Last test: ${test ?? 'none'}`);
    out.line(`Last 24 hours: ${totals.calls} calls, ${totals.errors} errors`);
    return EXIT.ok;
  });
}

/** `headgate connectors test`: whether a connector works, by id or name; exit code 1 where it does not. */
export async function testConnector(connector: string, options: ServerOptions): Promise<number> {
  return perform(options, async (out) => {
    const api = clientOf(options, TEST_MS_MAX);
    const id = await connectorIdOf(api, connector);
    const result = await api.POST('/api/connectors/{id}/test', { params: { path: { id } } });
    if (out.isJson) out.json({ id, ...result });
    const state = result.ok ? out.paint('green', 'works') : out.paint('red', 'failed');
    out.line(`Connector ${id} ${state} (${durationCell(result.duration_ms)}): ${printable(result.message)}`);
    return result.ok ? EXIT.ok : EXIT.failed;
  });
}
