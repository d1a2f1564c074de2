/**
 * The source of an object literal `{"a": <expression>, …}`. Objects that come from one literal share one shape and are
 * several times as fast to make as objects that are filled key by key. Names are written as JSON strings, so that no name
 * becomes code, and `__proto__` as a computed key, so that it stays a plain property.
 */
export function objectLiteral(names: readonly string[], expression: (index: number) => string): string {
  const members = names.map((name, index) => {
    const key = JSON.stringify(name);
    return `${name === '__proto__' ? `[${key}]` : key}:${expression(index)}`;
  });
  return `{${members.join(',')}}`;
}
