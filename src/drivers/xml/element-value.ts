/** Key of the text of an element that has attributes or elements too. */
const TEXT = '#text';

/** What an element holds while it is read, and its value at the end. */
export class ElementValue {
  readonly name: string;
  readonly #fields: Record<string, unknown> = Object.create(null);
  #hasFields = false;
  #text = '';

  constructor(name: string, attributes: readonly (readonly [name: string, value: string])[]) {
    this.name = name;
    for (const [key, value] of attributes) this.#set(`@${key}`, value);
  }

  addText(text: string): void {
    this.#text += text;
  }

  /** The second element of a name makes a list. */
  addElement(name: string, value: unknown): void {
    const before = this.#fields[name];
    if (before === undefined) this.#set(name, value);
    else if (Array.isArray(before)) before.push(value);
    else this.#set(name, [before, value]);
  }

  /** Its text where it has nothing else, null for nothing at all, and else a map. */
  get value(): unknown {
    const text = this.#text.trim();
    if (!this.#hasFields) return text === '' ? null : this.#text;
    return this.record;
  }

  /** As a map, whatever it has. */
  get record(): Record<string, unknown> {
    const text = this.#text.trim();
    return { ...this.#fields, ...(text === '' ? {} : { [TEXT]: text }) };
  }

  #set(key: string, value: unknown): void {
    this.#fields[key] = value;
    this.#hasFields = true;
  }
}
