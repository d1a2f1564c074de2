const allowedSchemes = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/**
 * The link as it may stand in an `href`: http(s), mailto, tel or relative; null for everything else.
 * Control characters and spaces are judged as a browser reads them, that is, after it has dropped them.
 */
export function safeUrl(href: unknown): string | null {
  if (typeof href !== 'string' || href.trim() === '') return null;
  try {
    const url = new URL(href, 'https://relative.invalid/');
    return allowedSchemes.has(url.protocol) ? href.trim() : null;
  } catch {
    return null;
  }
}

/** Whether a safe link leaves this site, and so opens beside it. */
export function isExternal(href: string): boolean {
  return /^(https?:)?\/\//i.test(href);
}

/** An image that the page's policy lets in: of this site, or a `data:image/` that is not markup. */
export function safeImageUrl(source: unknown): string | null {
  if (typeof source !== 'string' || source === '') return null;
  if (/^data:image\/(png|jpeg|gif|webp|avif)[;,]/i.test(source)) return source;
  return /^\/(?![/\\])/.test(source) ? source : null;
}
