/** What the secrets of a connector are encrypted for. */
export function connectorOwner(id: number | string): string {
  return `connector/${id}`;
}

/** Every text in secret values, to any depth, and passwords within URLs. */
export function secretTextsIn(secrets: unknown): string[] {
  return textsOf(secrets).flatMap((text) => [text, ...passwordOf(text)]);
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(textsOf);
}

function passwordOf(text: string): string[] {
  const password = URL.parse(text)?.password ?? '';
  if (password === '') return [];
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}
