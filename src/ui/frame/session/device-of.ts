/** A browser and its system, as far as a user agent names them. */
export interface Device {
  /** With its major version: "Firefox 140". Of a program that is no browser, what it calls itself. */
  readonly program: string;
  readonly system: string | null;
}

/** In this order: each browser also names those below it, whose pages it wants to be given. */
const browsers: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)\S* (?:Mobile\/\S+ )?Safari\//],
];
const systems: readonly (readonly [string, RegExp])[] = [
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac(?:intosh| OS X)\b/],
  ['Linux', /\bLinux\b/],
];
const programLengthMax = 60;

/** What a sign-in session's user agent says in words; null when it says nothing. */
export function deviceOf(userAgent: string): Device | null {
  const system = systems.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? null;
  for (const [name, pattern] of browsers) {
    const version = pattern.exec(userAgent)?.[1];
    if (version !== undefined) return { program: `${name} ${version}`, system };
  }
  // "curl/8.5.0", "Headgate demo": its own name, without the comments in brackets.
  const name = userAgent
    .replace(/\s*[(;].*$/s, '')
    .replace('/', ' ')
    .trim();
  if (name === '') return null;
  const isLong = name.length > programLengthMax;
  return { program: isLong ? `${name.slice(0, programLengthMax)}…` : name, system };
}
