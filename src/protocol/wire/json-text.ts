const [QUOTE, BACKSLASH] = Buffer.from('"\\');

/** The place behind the JSON string that begins at `at`; the end of the bytes where it is not closed. */
export function behindText(bytes: Uint8Array, at: number): number {
  for (let place = at + 1; place < bytes.length; place += 1) {
    const byte = bytes[place];
    if (byte === BACKSLASH) place += 1;
    else if (byte === QUOTE) return place + 1;
  }
  return bytes.length;
}
