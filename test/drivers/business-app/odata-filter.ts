type Record_ = Readonly<Record<string, unknown>>;
type Test = (record: Record_) => boolean;
type Value = (record: Record_) => unknown;

const TOKEN =
  /\s*(?:('(?:[^']|'')*')|(\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?)|([0-9a-f]{8}-[0-9a-f-]{27})|(-?\d+(?:\.\d+)?)|([\p{L}_][\p{L}\p{N}_./]*(?:'[^']*')?)|([(),]))/uy;

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const found = TOKEN.exec(text);
    if (found === null) throw new SyntaxError(`cannot read "${text}"`);
    tokens.push(found[0].trim());
  }
  return tokens;
}

/** What of OData's `$filter` a small service knows: comparisons, `and`, `or`, `not`, brackets, `contains` and `tolower`. */
export function filterOf(text: string): Test {
  const tokens = tokensOf(text);
  let at = 0;
  const take = (wanted?: string): string => {
    const token = tokens[at++];
    if (token === undefined || (wanted !== undefined && token !== wanted))
      throw new SyntaxError(`"${wanted ?? 'more'}" expected in "${text}"`);
    return token;
  };
  const or = (): Test => {
    let left = and();
    while (tokens[at] === 'or') {
      at++;
      const [before, right] = [left, and()];
      left = (record) => before(record) || right(record);
    }
    return left;
  };
  const and = (): Test => {
    let left = one();
    while (tokens[at] === 'and') {
      at++;
      const [before, right] = [left, one()];
      left = (record) => before(record) && right(record);
    }
    return left;
  };
  const one = (): Test => {
    if (tokens[at] === 'not') {
      at++;
      const inner = one();
      return (record) => !inner(record);
    }
    if (tokens[at] === '(') {
      at++;
      const inner = or();
      take(')');
      return inner;
    }
    if (tokens[at] === 'contains') {
      at++;
      take('(');
      const whole = value();
      take(',');
      const part = value();
      take(')');
      return (record) => String(whole(record) ?? '').includes(String(part(record)));
    }
    const left = value();
    const operator = take();
    const right = value();
    return (record) => compare(left(record), operator, right(record));
  };
  const value = (): Value => {
    const token = take();
    if (token === 'tolower') {
      take('(');
      const inner = value();
      take(')');
      return (record) => (inner(record) as string | null)?.toLowerCase() ?? null;
    }
    const literal = literalOf(token);
    return literal === undefined ? (record) => propertyOf(record, token) : () => literal;
  };
  const test = or();
  if (at < tokens.length) throw new SyntaxError(`"${tokens[at]}" unexpected in "${text}"`);
  return test;
}

function literalOf(token: string): unknown {
  if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'");
  if (/^-?\d+(\.\d+)?$/.test(token)) return token;
  if (/^[\d-]/.test(token) || /^[0-9a-f]{8}-/.test(token)) return token;
  if (token === 'null') return null;
  if (token === 'true' || token === 'false') return token === 'true';
  const typed = /^[\w.]+'(.*)'$/.exec(token);
  return typed === null ? undefined : typed[1];
}

function propertyOf(record: Record_, path: string): unknown {
  let value: unknown = record;
  for (const name of path.split('/')) value = (value as Record_ | null | undefined)?.[name];
  return value ?? null;
}

/** Numbers by their value, times by their instant, all else as text; null is equal to itself alone. */
function compare(left: unknown, operator: string, right: unknown): boolean {
  if (operator === 'eq' && (left === null || right === null)) return left === right;
  if (operator === 'ne' && (left === null || right === null)) return left !== right;
  if (left === null || right === null) return false;
  const order = orderOf(left, right);
  const results: Record<string, boolean> = {
    eq: order === 0,
    ne: order !== 0,
    gt: order > 0,
    ge: order >= 0,
    lt: order < 0,
    le: order <= 0,
  };
  const result = results[operator];
  if (result === undefined) throw new SyntaxError(`"${operator}" is no operator`);
  return result;
}

/** Below 0, 0 or above 0. */
export function orderOf(left: unknown, right: unknown): number {
  if (left === null || right === null) return left === right ? 0 : left === null ? -1 : 1;
  const [a, b] = [String(left), String(right)];
  if (/^-?\d+(\.\d+)?$/.test(a) && /^-?\d+(\.\d+)?$/.test(b)) return Number(a) - Number(b);
  if (/^\d{4}-\d\d-\d\dT/.test(a) && /^\d{4}-\d\d-\d\dT/.test(b)) return Date.parse(a) - Date.parse(b);
  return a < b ? -1 : a > b ? 1 : 0;
}
