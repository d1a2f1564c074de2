/** The word for one of the server's values. One that only a newer server knows is shown as it is. */
export function wordOf<K extends string>(words: Readonly<Record<K, string>>, value: K): string {
  return Object.hasOwn(words, value) ? words[value] : value;
}
