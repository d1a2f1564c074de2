import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** What schemas call the types of values, in a reader's words. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an email address',
  url: 'a URL',
  datetime: 'a time with its zone, such as 2026-01-31T08:00:00Z',
  date: 'a date such as 2026-01-31',
  uuid: 'a UUID',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  base64: 'Base64',
};

/**
 * What a schema finds wrong with a value, as words that follow its name: "must be a number, not "x"". Words of our own schemas stay,
 * after a colon; those of the schema library name types of the code ("expected number, received NaN") and are replaced. `given` is
 * what was passed, as words or in quotes; null leaves it out.
 */
export function schemaWords(issue: Issue, given: string | null): string {
  if (issue.code !== 'custom' && isOwn(issue.message)) return `: ${issue.message}`;
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined'))
    return ' is required and missing';
  const not = given === null ? '' : `, not ${given}`;
  const wanted = wantedBy(issue);
  if (wanted !== null) return ` must be ${wanted}${not}`;
  switch (issue.code) {
    case 'invalid_value':
      return ` must be one of ${issue.values.map(String).join(', ')}${not}`;
    case 'invalid_format':
      return FORMATS[issue.format] === undefined
        ? ` does not have the right form${issue.pattern === undefined ? '' : `, ${issue.pattern}`}`
        : ` must be ${FORMATS[issue.format]}${not}`;
    case 'invalid_union':
      return ' does not have the right form';
    case 'too_small':
    case 'too_big':
      return boundOf(issue, not);
    case 'not_multiple_of':
      return ` must be a multiple of ${issue.divisor}${not}`;
    case 'invalid_key':
      return issue.issues[0] === undefined
        ? ' is not an allowed name'
        : ` as a name${schemaWords(issue.issues[0], null)}`;
    default:
      return `: ${issue.message}`;
  }
}

/** The types, or the only value, that a schema takes; null where something else is wrong. */
function wantedBy(issue: Issue): string | null {
  if (issue.code === 'invalid_type') return TYPES[issue.expected] ?? issue.expected;
  if (issue.code === 'invalid_value' && issue.values.length === 1) return JSON.stringify(issue.values[0]);
  if (issue.code !== 'invalid_union') return null;
  const wanted = issue.errors.map(([first]) =>
    first === undefined || first.path.length > 0 ? null : wantedBy(first),
  );
  const types = [...new Set(wanted)].filter((type) => type !== null);
  if (wanted.includes(null) || types.length === 0) return null;
  return types.length === 1 ? (types[0] ?? null) : `${types.slice(0, -1).join(', ')} or ${types.at(-1)}`;
}

function isOwn(message: string): boolean {
  return !/^(Invalid|Too (small|big)|Unrecognized)\b/.test(message);
}

const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item', set: 'item' };

function boundOf(issue: Extract<Issue, { code: 'too_small' | 'too_big' }>, not: string): string {
  const small = issue.code === 'too_small';
  const bound = Number(small ? issue.minimum : issue.maximum);
  const unit = UNITS[issue.origin];
  if (unit === undefined) {
    if (issue.inclusive === false) return ` must be ${small ? 'more' : 'less'} than ${bound}${not}`;
    return ` must be at ${small ? 'least' : 'most'} ${bound}${not}`;
  }
  if (small && bound === 1) return ' must not be empty';
  const limit = issue.exact === true ? 'exactly' : `at ${small ? 'least' : 'most'}`;
  return ` must have ${limit} ${bound} ${unit}${bound === 1 ? '' : 's'}`;
}
