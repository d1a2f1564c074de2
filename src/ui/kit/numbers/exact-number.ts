/** Digits that every number of JavaScript keeps. */
const safeDigits = 15;

/** Whether JavaScript's number for a text of plain digits (`-1234.5`) says the same. */
export function isExact(text: string): boolean {
  const [, whole = '', fraction = ''] = /^[+-]?0*(\d*)(?:\.(\d*?)0*)?$/.exec(text) ?? [];
  if (whole.length + fraction.length <= safeDigits) return true;
  return String(Math.abs(Number(text))) === (fraction === '' ? whole : `${whole || '0'}.${fraction}`);
}

/** `JSON.parse`, with numbers that JavaScript would change as their texts, which is how the server takes them. */
export function parseExactJson(text: string): unknown {
  const keep = (_key: string, value: unknown, context?: { readonly source?: string }) => {
    const source = context?.source;
    if (typeof value !== 'number' || source === undefined) return value;
    if (!Number.isFinite(value)) return source;
    return /[eE]/.test(source) || isExact(source) ? value : source;
  };
  return JSON.parse(text, keep as Parameters<typeof JSON.parse>[1]);
}
