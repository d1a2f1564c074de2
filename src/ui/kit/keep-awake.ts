/** Keeps the screen from going dark while the page is visible, where the browser can; returns what ends it. */
export function keepAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let isOver = false;
  const ask = async () => {
    if (!('wakeLock' in navigator) || document.visibilityState !== 'visible') return;
    // A browser that saves its battery refuses.
    const got = await navigator.wakeLock.request('screen').catch(() => null);
    if (isOver) void got?.release();
    else lock = got;
  };
  const onVisible = () => void ask();
  document.addEventListener('visibilitychange', onVisible);
  void ask();
  return () => {
    isOver = true;
    document.removeEventListener('visibilitychange', onVisible);
    void lock?.release();
  };
}
