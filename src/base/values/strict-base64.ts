/** The bytes of base64 with its `=` (RFC 4648, section 4); null for any other text, which Node would read all the same. */
export function strictBytes(text: string): Buffer | null {
  const { length } = text;
  if (length % 4 !== 0) return null;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = Buffer.from(text, 'base64');
  // What is none of the alphabet is passed over, and makes it shorter.
  if (bytes.length !== (length / 4) * 3 - padding || text.includes('-') || text.includes('_')) return null;
  const rest = bytes.length % 3;
  return rest === 0 || bytes.toString('base64', bytes.length - rest) === text.slice(-4) ? bytes : null;
}
