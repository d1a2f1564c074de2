import { styleText } from 'node:util';
import { renderUnicodeCompact } from 'uqr';
import { ApiError } from '../../client/api-error.ts';
import { CommandError } from '../kit/command-error.ts';
import { EXIT } from '../kit/exit-code.ts';
import { perform } from '../kit/perform.ts';
import { clientOf, type ServerOptions, serverOf } from '../server/server-client.ts';
import { timeCell } from './cells.ts';
import { dashboardIdOf } from './find-by-name.ts';

export interface ShareLinkOptions extends ServerOptions {
  /** Draws the QR code also where standard output is no terminal. */
  readonly qr: boolean;
}

/** Light modules around the code, without which readers do not find it. */
const QUIET_MODULES = 2;

/** `headgate share-link`: the public address of a dashboard, and its QR code on a terminal. It makes no link. */
export async function shareLink(dashboard: string, options: ShareLinkOptions): Promise<number> {
  return perform(options, async (out) => {
    const api = clientOf(options);
    const id = await dashboardIdOf(api, dashboard);
    const link = await api.GET('/api/dashboards/{id}/share', { params: { path: { id } } }).catch(noLink);
    const address = new URL(link.public_url, serverOf(options)).href;
    if (out.isJson) out.json({ ...link, public_url: address });
    out.line(address);
    if (link.has_password) out.error('It asks for a password.');
    if (link.expires_at !== null) out.error(`It expires: ${timeCell(link.expires_at)}`);
    if (options.qr || process.stdout.isTTY)
      // The blocks are the light modules, whatever colours the terminal has.
      for (const line of renderUnicodeCompact(address, { border: QUIET_MODULES }).split('\n'))
        out.line(styleText(['whiteBright', 'bgBlack'], line, { stream: process.stdout }));
    return EXIT.ok;
  });
}

function noLink(error: unknown): never {
  if (!(error instanceof ApiError) || error.status !== 404) throw error;
  throw new CommandError(
    EXIT.failed,
    `${error.message}. Create a link in the browser, with the dashboard’s Share button`,
  );
}
