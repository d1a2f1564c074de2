import { ConnectorError } from '../driver.ts';
import type { HttpConfig } from './config.ts';
import type { Query } from './resource-config.ts';

/** A dot segment, however it is written, which would lead out of `base_url`. */
const DOT_SEGMENT = /(^|[/\\])(\.|%2e){1,2}([/\\?]|$)/i;

/** The URL of a path of the API. `CONFIG` where it leads to a host that the configuration does not name. */
export function urlOf(config: HttpConfig, path: string, queries: readonly Query[]): URL {
  const url = /^https?:\/\//i.test(path) ? absoluteUrl(config, path) : relativeUrl(config, path);
  for (const query of [config.query, ...queries]) addQuery(url, query);
  return url;
}

function relativeUrl({ base_url }: HttpConfig, path: string): URL {
  const [before = ''] = path.split('?', 1);
  if (DOT_SEGMENT.test(before) || /[\\#]/.test(path))
    throw new ConnectorError('CONFIG', `The path "${path.slice(0, 200)}" must not contain "..", "\\" or "#"`);
  const base = new URL(base_url);
  const [query, given] = [base.search.slice(1), path.replace(/^\/+/, '')];
  base.search = '';
  const url = URL.parse(given === '' ? base.href : `${base.href.replace(/\/+$/, '')}/${given}`);
  if (url === null)
    throw new ConnectorError('CONFIG', `The path "${path.slice(0, 200)}" does not make a valid URL`);
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.append(name, value);
  return url;
}

function absoluteUrl(config: HttpConfig, text: string): URL {
  const url = URL.parse(text);
  if (url === null) throw new ConnectorError('CONFIG', 'The URL is not valid');
  requireHost(config, url, 'The URL');
  return url;
}

/** The address of a next page or a redirect, which may be relative to the page before. `CONFIG` for another host. */
export function followUrl(config: HttpConfig, from: URL, link: string, what: string): URL {
  const url = URL.parse(link, from.href);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ConnectorError('DATA', `${what} is no URL: "${link.slice(0, 200)}"`);
  requireHost(config, url, what);
  return url;
}

function requireHost(config: HttpConfig, url: URL, what: string): void {
  const isAllowed = config.allow_hosts.some((host) => [url.host, url.hostname].includes(host.toLowerCase()));
  const isOwn = new URL(config.base_url).origin === url.origin;
  if ((isOwn || isAllowed) && url.username === '' && url.password === '') return;
  throw new ConnectorError(
    'CONFIG',
    `${what} leads to ${url.origin}, which is not the host of "base_url"; add "${url.host}" to "allow_hosts" to follow it`,
  );
}

/** Sets parameters; a list gives one each, null none. */
export function addQuery(url: URL, query: Query): void {
  for (const [name, value] of Object.entries(query)) {
    url.searchParams.delete(name);
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== null) url.searchParams.append(name, String(one));
  }
}
