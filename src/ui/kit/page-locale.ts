/** What a browser has, and a test outside one has not. */
interface Browser {
  readonly document?: { readonly documentElement: { readonly lang: string } };
  readonly navigator: { readonly languages?: readonly string[] };
}

/**
 * How numbers and dates are written where nothing else is said: as the browser does, unless the page's language was chosen and is none
 * of the browser's. Undefined is the browser's own.
 */
export function pageLocale({ document, navigator }: Browser = globalThis): string | undefined {
  const lang = document?.documentElement.lang ?? '';
  if (lang === '') return undefined;
  const own = navigator.languages?.find((tag) => tag.split('-')[0] === lang);
  return own ?? (lang === 'en' ? undefined : lang);
}
