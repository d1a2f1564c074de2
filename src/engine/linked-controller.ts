/** An AbortController that also aborts when its parent does; `unlink` lets go of the parent. */
export interface LinkedController {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
  unlink(): void;
}

export function linkedController(parent: AbortSignal): LinkedController {
  const controller = new AbortController();
  const follow = () => controller.abort(parent.reason);
  if (parent.aborted) follow();
  else parent.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    unlink: () => parent.removeEventListener('abort', follow),
  };
}
