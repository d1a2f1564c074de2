import type { EngineFile } from '../engine-file.ts';

/**
 * Does what reads a file while the rest of it is looked at, and interrupts it as soon as that is not plain. null: it is not, and what was
 * made of it does not count.
 */
export async function readPlain<T>(
  file: EngineFile,
  interrupt: () => void,
  read: () => Promise<T>,
): Promise<T | null> {
  if (file.format === 'parquet') return read();
  const ending = new AbortController();
  let isPlain = true;
  const tell = (found: boolean) => {
    if (found || ending.signal.aborted) return;
    isPlain = false;
    interrupt();
  };
  const looking = file.isPlain(ending.signal).then(tell, () => tell(false));
  try {
    const made = await read();
    await looking;
    return isPlain ? made : null;
  } catch (error) {
    if (!isPlain) return null;
    throw error;
  } finally {
    ending.abort();
    await looking;
  }
}
