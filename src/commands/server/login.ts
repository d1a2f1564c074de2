import { readSecret } from '../kit/ask-person.ts';
import { printable } from '../kit/command-output.ts';
import { EXIT } from '../kit/exit-code.ts';
import { perform } from '../kit/perform.ts';
import { forgetLogin, loginFile, readSavedLogin, saveLogin } from './saved-login.ts';
import { clientOf, type ServerOptions, serverOf } from './server-client.ts';

/**
 * `headgate login`: asks for an API key (typed unseen, or the first line of standard input; `--token` where it is given), tries it, and
 * keeps it with the server's address for the commands that follow.
 */
export async function login(options: ServerOptions): Promise<number> {
  return perform(options, async (out) => {
    const server = serverOf(options);
    const token = options.token ?? (await readSecret(`API key for ${server}: `, 'API key'));
    const me = await clientOf({ server, token }).GET('/api/auth/me');
    const file = saveLogin({ server, token });
    const scopes = me.api_key?.scopes ?? null;
    if (out.isJson) out.json({ server, email: me.email, role: me.role, scopes, file });
    out.line(`Logged in to ${server} as ${printable(me.email)} (${me.role}).`);
    if (me.api_key) {
      const { name, expires_at } = me.api_key;
      out.line(
        `API key "${printable(name)}", ${expires_at === null ? 'without expiry' : `until ${expires_at}`}; saved in ${file}`,
      );
    }
    return EXIT.ok;
  });
}

/** `headgate logout`: forgets server and key. The key itself stays valid until it is revoked. */
export async function logout(options: { readonly json: boolean }): Promise<number> {
  return perform(options, async (out) => {
    const saved = readSavedLogin();
    forgetLogin();
    if (out.isJson) out.json({ server: saved?.server ?? null, file: loginFile() });
    out.line(
      saved === null
        ? 'Not logged in.'
        : `Logged out of ${saved.server}. The key stays valid until you revoke it there.`,
    );
    return EXIT.ok;
  });
}
