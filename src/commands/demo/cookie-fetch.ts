/**
 * A `fetch` that keeps the cookies which a sign-in sets, as a browser would. It sends the server's own origin besides: a write with
 * a cookie must show where it comes from.
 */
export function cookieFetch(origin: string): (request: Request) => Promise<Response> {
  const cookies = new Map<string, string>();
  return async (request) => {
    request.headers.set('origin', origin);
    if (cookies.size > 0)
      request.headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(request);
    keepCookies(cookies, response.headers.getSetCookie());
    return response;
  };
}

/** Keeps name and value; a cookie that is set to nothing is taken back. */
function keepCookies(cookies: Map<string, string>, lines: readonly string[]): void {
  for (const line of lines) {
    const pair = line.split(';', 1)[0] ?? '';
    const at = pair.indexOf('=');
    if (at <= 0) continue;
    const value = pair.slice(at + 1);
    if (value === '') cookies.delete(pair.slice(0, at));
    else cookies.set(pair.slice(0, at), value);
  }
}
