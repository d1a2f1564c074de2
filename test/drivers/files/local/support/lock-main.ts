/** Takes the lock of a commit, says so, and keeps it for as long as it lives. */
import { withCommitLock } from '../../../../../src/drivers/files/local/commit-lock.ts';

await withCommitLock(process.argv[2] ?? '', 'held', async () => {
  process.send?.('held');
  await new Promise((_resolve, _reject) => setInterval(() => undefined, 1_000));
});
