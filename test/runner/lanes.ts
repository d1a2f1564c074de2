import type { TestFile } from './test-files.ts';
import type { FileEnd, Worker } from './worker.ts';

const LANES_MORE_THAN_CORES = 2;
/** A file waits and computes by turns: processors are kept busy by more files than would fill them if each took its share evenly. */
const LOAD_PER_CORE_MAX = 1.1;

type LaneWorker = Pick<Worker, 'run' | 'close' | 'isUsable'>;

export interface LanesOptions {
  readonly cores: number;
  readonly startWorker: () => LaneWorker;
  readonly onStart: (file: TestFile) => void;
  readonly onEnd: (file: TestFile, end: FileEnd) => void;
}

/**
 * Runs the files in their order, several at once: as many as keep the processors busy. A process runs many files; one that broke, or
 * that a file wants for itself, is followed by a new one.
 */
export async function runInLanes(files: readonly TestFile[], options: LanesOptions): Promise<void> {
  const waiting = [...files];
  const running = new Set<TestFile>();
  const idle: LaneWorker[] = [];
  const closing: Promise<void>[] = [];
  const run = async (file: TestFile) => {
    running.add(file);
    const worker = (file.needsOwnProcess ? undefined : idle.pop()) ?? options.startWorker();
    options.onStart(file);
    options.onEnd(file, await worker.run(file.path));
    running.delete(file);
    if (worker.isUsable && !file.needsOwnProcess) idle.push(worker);
    else closing.push(worker.close());
  };
  await new Promise<void>((resolve, reject) => {
    const fill = () => {
      for (let file = nextOf(waiting, running, options.cores); file !== null; ) {
        run(file).then(fill, reject);
        file = nextOf(waiting, running, options.cores);
      }
      if (running.size === 0) resolve();
    };
    fill();
  });
  await Promise.all([...closing, ...idle.map((worker) => worker.close())]);
}

/** Takes the first file that the processors have time for beside those that run. */
function nextOf(waiting: TestFile[], running: ReadonlySet<TestFile>, cores: number): TestFile | null {
  if (running.size >= cores + LANES_MORE_THAN_CORES) return null;
  const load = [...running].reduce((sum, file) => sum + loadOf(file), 0);
  const fits = waiting.findIndex((file) => load + loadOf(file) <= cores * LOAD_PER_CORE_MAX);
  const index = fits < 0 && running.size < cores ? 0 : fits;
  return index < 0 ? null : (waiting.splice(index, 1)[0] ?? null);
}

/** How many processors it keeps busy. */
function loadOf({ seconds, cpuSeconds }: TestFile): number {
  return cpuSeconds / Math.max(seconds, 0.1);
}
