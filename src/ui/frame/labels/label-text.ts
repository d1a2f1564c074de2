const filtersMax = 10;

/** The labels of a filter in an address, which anybody can write. The router reads a text that looks like a number as one. */
export function labelsOf(value: unknown): readonly string[] {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = given.flatMap((one) =>
    typeof one === 'string' || typeof one === 'number' ? [String(one)] : [],
  );
  return [...new Set(texts.filter(isLabel))].slice(0, filtersMax);
}

/** Whether a text names a label: `name:value`, or `name`. */
export function isLabel(text: string): boolean {
  return text.split(':', 1)[0]?.trim() !== '';
}

/** Labels as they are typed and shown. */
export function textsOf(labels: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(labels).map(([name, value]) => (value === '' ? name : `${name}:${value}`));
}

/** What was typed, as a job has it: of two values of one name the last. */
export function labelsFrom(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const [name = ''] = text.split(':', 1);
      return [name.trim(), text.slice(name.length + 1).trim()];
    }),
  );
}
