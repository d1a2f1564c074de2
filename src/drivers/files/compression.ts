export type Compression = 'gzip' | 'zstd';

const SUFFIXES = { '.gz': 'gzip', '.zst': 'zstd' } as const;

/** How the contents of a file of this name are compressed; null where they are not. */
export function compressionOf(name: string): Compression | null {
  const suffix = /\.(?:gz|zst)$/i.exec(name)?.[0].toLowerCase();
  return suffix === undefined ? null : SUFFIXES[suffix as keyof typeof SUFFIXES];
}

/** `orders.csv` of `orders.csv.gz`: the name that says what the contents are. */
export function expandedName(name: string): string {
  return name.replace(/\.(?:gz|zst)$/i, '');
}

/** Extensions of files as they are, and compressed. */
export function orCompressed(extensions: readonly string[]): string[] {
  return extensions.flatMap((extension) =>
    ['', ...Object.keys(SUFFIXES)].map((suffix) => extension + suffix),
  );
}
