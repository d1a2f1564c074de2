/** A bundle as `POST /api/import` takes it. */
export type BundleText = { readonly bundle: string } | { readonly bundle_zip: string };

/** Every zip begins so. */
const zipBegins = [0x50, 0x4b];

/** The bundle in a file; what begins as a zip does is one. Null where it is neither a zip nor text in UTF-8. */
export async function readBundle(file: Blob): Promise<BundleText | null> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (zipBegins.every((byte, index) => bytes[index] === byte)) return { bundle_zip: await base64Of(file) };
  try {
    return { bundle: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return null;
  }
}

async function base64Of(file: Blob): Promise<string> {
  const reader = new FileReader();
  const read = new Promise<string>((resolve, reject) => {
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
  });
  reader.readAsDataURL(file);
  const url = await read;
  return url.slice(url.indexOf(',') + 1);
}
