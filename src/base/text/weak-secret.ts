/** What makes a secret no secret. Keys made by a program have none of it. */
export function weaknessOf(value: string): string | null {
  if (new Set(value).size < 8 || /change.?me|example|secret|password|default/i.test(value))
    return 'is a sample value';
  if (/^(.+?)\1+$/s.test(value)) return 'repeats itself';
  const codes = [...value].map((char) => char.charCodeAt(0));
  const steps = codes.filter((code, i) => i > 0 && Math.abs(code - (codes[i - 1] ?? 0)) <= 1);
  return steps.length > value.length / 2 ? 'is a row of characters' : null;
}
