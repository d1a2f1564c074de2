import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * For whom the server works at this moment: set by the guard for the whole of a request, so that whatever the request causes can be
 * counted as its caller's. Absent in what the server does by itself, such as schedules.
 */
export const caller = new AsyncLocalStorage<string>();
