/** Least and most arguments of a function. One that the context value can stand for is not among the least. */
export type Arity = readonly [min: number, max: number];

/** The type of a value, in the letters of signatures: string, number, boolean, null, object, array, function. */
export type TypeLetter = 's' | 'n' | 'b' | 'l' | 'o' | 'a' | 'f';

/** One parameter of a signature. */
export interface SignatureParameter {
  /** What it takes. An array is also made of any single value. */
  readonly letters: readonly TypeLetter[];
  readonly isOptional: boolean;
  /** The context value stands for it where it is left out. */
  readonly isContext: boolean;
  /** It takes one argument or more. */
  readonly isMany: boolean;
}

/** The functions of expressions, without their `$`, as jsonata declares them. jsonata does not tell which it has: a test compares the two. */
export const FUNCTION_SIGNATURES: ReadonlyMap<string, string> = new Map<string, string>([
  ['abs', '<n-:n>'],
  ['append', '<xx:a>'],
  ['assert', '<bs?:x>'],
  ['average', '<a<n>:n>'],
  ['base64decode', '<s-:s>'],
  ['base64encode', '<s-:s>'],
  ['boolean', '<x-:b>'],
  ['ceil', '<n-:n>'],
  ['clone', '<(oa)-:o>'],
  ['contains', '<s-(sf):b>'],
  ['count', '<a:n>'],
  ['decodeUrl', '<s-:s>'],
  ['decodeUrlComponent', '<s-:s>'],
  ['distinct', '<x:x>'],
  ['each', '<o-f:a>'],
  ['encodeUrl', '<s-:s>'],
  ['encodeUrlComponent', '<s-:s>'],
  ['error', '<s?:x>'],
  ['exists', '<x:b>'],
  ['filter', '<af>'],
  ['floor', '<n-:n>'],
  ['formatBase', '<n-n?:s>'],
  ['formatInteger', '<n-s:s>'],
  ['formatNumber', '<n-so?:s>'],
  ['fromMillis', '<n-s?s?:s>'],
  ['join', '<a<s>s?:s>'],
  ['keys', '<x-:a<s>>'],
  ['length', '<s-:n>'],
  ['lookup', '<x-s:x>'],
  ['lowercase', '<s-:s>'],
  ['map', '<af>'],
  ['match', '<s-f<s:o>n?:a<o>>'],
  ['max', '<a<n>:n>'],
  ['merge', '<a<o>:o>'],
  ['millis', '<:n>'],
  ['min', '<a<n>:n>'],
  ['not', '<x-:b>'],
  ['now', '<s?s?:s>'],
  ['number', '<(nsb)-:n>'],
  ['pad', '<s-ns?:s>'],
  ['parseInteger', '<s-s:n>'],
  ['power', '<n-n:n>'],
  ['random', '<:n>'],
  ['reduce', '<afj?:j>'],
  ['replace', '<s-(sf)(sf)n?:s>'],
  ['reverse', '<a:a>'],
  ['round', '<n-n?:n>'],
  ['shuffle', '<a:a>'],
  ['sift', '<o-f?:o>'],
  ['single', '<af?>'],
  ['sort', '<af?:a>'],
  ['split', '<s-(sf)n?:a<s>>'],
  ['spread', '<x-:a<o>>'],
  ['sqrt', '<n-:n>'],
  ['string', '<x-b?:s>'],
  ['substring', '<s-nn?:s>'],
  ['substringAfter', '<s-s:s>'],
  ['substringBefore', '<s-s:s>'],
  ['sum', '<a<n>:n>'],
  ['toMillis', '<s-s?:n>'],
  ['trim', '<s-:s>'],
  ['type', '<x:s>'],
  ['uppercase', '<s-:s>'],
  ['zip', '<a+>'],
]);

const ANY: readonly TypeLetter[] = ['s', 'n', 'b', 'l', 'o', 'a', 'f'];
const parsed = new Map<string, readonly SignatureParameter[]>();

/** The parameters of a signature such as `<s-nn?:s>`: a string, or the context, a number, and perhaps another one. */
export function parametersOf(signature: string): readonly SignatureParameter[] {
  const known = parsed.get(signature);
  if (known !== undefined) return known;
  const [parameters = ''] = signature
    .slice(1, -1)
    .replaceAll(/<[^<>]*>/g, '')
    .split(':');
  const found = [...parameters.matchAll(/(?:\((?<choice>[a-z]+)\)|(?<type>[a-z]))(?<mark>[-?+]?)/g)].map(
    ({ groups = {} }) => ({
      letters: lettersOf(groups['choice'] ?? groups['type'] ?? ''),
      isOptional: groups['mark'] === '?',
      isContext: groups['mark'] === '-',
      isMany: groups['mark'] === '+',
    }),
  );
  parsed.set(signature, found);
  return found;
}

function lettersOf(types: string): readonly TypeLetter[] {
  if (types === 'a' || types === 'x') return ANY;
  if (types === 'j') return ANY.filter((letter) => letter !== 'f');
  return ANY.filter((letter) => types.includes(letter));
}

/** How many arguments a signature takes. */
export function arityOf(signature: string): Arity {
  const parameters = parametersOf(signature);
  const required = parameters.filter(({ isOptional, isContext }) => !isOptional && !isContext);
  const isMany = parameters.some((parameter) => parameter.isMany);
  return [required.length, isMany ? Number.POSITIVE_INFINITY : parameters.length];
}

/** What is known of the types of a call before it runs; null for what is not. */
export interface CallTypes {
  readonly args: readonly (TypeLetter | null)[];
  readonly context: TypeLetter | null;
}

/** Whether a call with such arguments can succeed. A value that is missing when the expression runs fits nearly everywhere, so that only types count. */
export function mayFit(signature: string, { args, context }: CallTypes): boolean {
  const parameters = parametersOf(signature);
  const takes = ({ letters }: SignatureParameter, letter: TypeLetter | null) =>
    letter === null || letters.includes(letter);
  const fits = (at: number, next: number): boolean => {
    const parameter = parameters[at];
    if (parameter === undefined) return next >= args.length;
    const { isOptional, isContext, isMany } = parameter;
    const given = args[next];
    if (given !== undefined && takes(parameter, given))
      if (fits(at + 1, next + 1) || (isMany && fits(at, next + 1))) return true;
    return (isOptional || (isContext && takes(parameter, context))) && fits(at + 1, next);
  };
  return fits(0, 0);
}
