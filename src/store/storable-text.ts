/**
 * Text that both stores accept: at most `lengthMax` characters, well-formed, without NUL, which PostgreSQL's text cannot hold.
 * A cut text says so at its end. Source: https://www.postgresql.org/docs/18/datatype-character.html.
 */
export function storableText(text: string, lengthMax: number): string {
  const clean = (text.includes('\0') ? text.replaceAll('\0', '\u2400') : text).toWellFormed();
  if (clean.length <= lengthMax) return clean;
  return `${clean.slice(0, lengthMax).toWellFormed()}… (cut: ${clean.length} characters)`;
}
