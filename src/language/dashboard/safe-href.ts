const SCHEMES = ['http:', 'https:', 'mailto:', 'tel:'];
const HREF_CHARS_MAX = 2_000;

/** A link as an expression gave it; null for nothing, and for what is not safe. */
export function safeHrefOf(value: unknown): string | null {
  return typeof value === 'string' && isSafeHref(value) ? value : null;
}

/**
 * True for an `http(s)`, `mailto` or `tel` URL, and for a URL relative to this site. False for anything a browser could read as
 * another scheme or site: control characters, spaces and backslashes (browsers drop or turn them), and `//host`.
 */
export function isSafeHref(href: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop them, so they hide a scheme
  if (href === '' || href.length > HREF_CHARS_MAX || /[\u0000-\u0020\u007f-\u00a0\\]/.test(href))
    return false;
  const scheme = /^([^/?#]*?):/.exec(href)?.[1];
  if (scheme === undefined) return !href.startsWith('//');
  if (!SCHEMES.includes(`${scheme.toLowerCase()}:`)) return false;
  return /^https?$/i.test(scheme)
    ? /^https?:\/\/[^/?#]/i.test(href) && URL.canParse(href)
    : href.length > scheme.length + 1;
}
