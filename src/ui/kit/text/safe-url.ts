const allowedSchemes = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/**
 * The URL if it is safe in an `href`: http(s), mailto, tel or relative; null for everything else.
 * It is parsed as a browser does, which drops control characters and spaces first.
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

/** Whether a safe URL leaves this site; such links open in a new tab. */
export function isExternal(href: string): boolean {
  return /^(https?:)?\/\//i.test(href);
}

/** The URL of an image that the content security policy allows: on this site, or `data:image/` of a bitmap format. */
export function safeImageUrl(source: unknown): string | null {
  if (typeof source !== 'string' || source === '') return null;
  if (/^data:image\/(png|jpeg|gif|webp|avif)[;,]/i.test(source)) return source;
  return /^\/(?![/\\])/.test(source) ? source : null;
}
