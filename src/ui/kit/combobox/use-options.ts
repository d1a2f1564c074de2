import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import type { Option, OptionsPage } from '../../api/widget-calls.ts';
import { useInputWords } from '../../texts/input-words.ts';
import { filterOptions, joinOptions } from './option-list.ts';

const searchDelayMs = 250;

/** Where options come from: a list, or pages from the server. */
export type OptionSource =
  | { readonly kind: 'inline'; readonly options: readonly Option[] }
  | {
      readonly kind: 'server';
      /** A new key means different options: those loaded under the previous one are dropped. */
      readonly key: string;
      /** Whether one page holds all options, so that the search happens here. */
      readonly searchInPage: boolean;
      /** Options whose labels are shown before a page with them has been loaded. */
      readonly known?: readonly Option[];
      load(request: { q?: string; cursor?: string }, signal: AbortSignal): Promise<OptionsPage>;
    };

interface Loaded {
  readonly key: string;
  /** The search that the options answer. */
  readonly q: string;
  readonly options: readonly Option[];
  readonly nextCursor: string | null;
  readonly phase: 'loading' | 'more' | 'ready' | 'failed';
  readonly problem: string | null;
}

export interface Options {
  readonly options: readonly Option[];
  /** `loading`: the first page is loading; `more`: a further one; `failed`: see `problem`. */
  readonly phase: Loaded['phase'];
  /** Whether the options still answer an earlier search. */
  readonly stale: boolean;
  readonly problem: string | null;
  readonly hasMore: boolean;
  /** The label of a value; null until a page with it has been loaded. */
  labelOf(value: string): string | null;
  loadMore(): void;
  retry(): void;
}

const nothing: Loaded = { key: '', q: '', options: [], nextCursor: null, phase: 'loading', problem: null };

/** The options for a search text while the list is open. A new request cancels the previous one. */
export function useOptions(source: OptionSource, open: boolean, text: string): Options {
  const words = useInputWords();
  const [loaded, setLoaded] = useState(nothing);
  const [attempt, setAttempt] = useState(0);
  const [labels] = useState(() => new Map<string, string>());
  const running = useRef<AbortController | null>(null);
  const latest = useRef(source);
  latest.current = source;
  const key = source.kind === 'inline' ? '' : source.key;
  const q = source.kind === 'server' && !source.searchInPage ? text.trim() : '';

  const ask = useCallback(
    async (cursor: string | null) => {
      const from = latest.current;
      if (from.kind === 'inline') return;
      running.current?.abort();
      const control = new AbortController();
      running.current = control;
      setLoaded((was) => ({ ...was, phase: cursor === null ? 'loading' : 'more', problem: null }));
      try {
        const page = await from.load({ ...(q && { q }), ...(cursor && { cursor }) }, control.signal);
        if (control.signal.aborted) return;
        for (const option of page.options) labels.set(option.value, option.label);
        setLoaded((was) => ({
          key,
          q,
          options: joinOptions(cursor === null ? [] : was.options, page.options),
          nextCursor: page.next_cursor,
          phase: 'ready',
          problem: null,
        }));
      } catch (error) {
        if (control.signal.aborted) return;
        const problem =
          error instanceof ApiError && error.status !== 0 ? error.message : words.options.notLoaded;
        setLoaded((was) => ({ ...was, phase: 'failed', problem }));
      }
    },
    [key, q, labels, words],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt repeats the same request
  useEffect(() => {
    if (!open || latest.current.kind === 'inline') return;
    setLoaded((was) => (was.key === key ? { ...was, phase: 'loading' } : nothing));
    const timer = setTimeout(() => void ask(null), q === '' ? 0 : searchDelayMs);
    return () => {
      clearTimeout(timer);
      running.current?.abort();
    };
  }, [open, ask, attempt]);

  const all =
    source.kind === 'inline' ? source.options : loaded.key === key ? loaded.options : nothing.options;
  const options = useMemo(() => (q === '' ? filterOptions(all, text) : all), [all, q, text]);
  return {
    options,
    phase: source.kind === 'inline' ? 'ready' : loaded.phase,
    stale: source.kind === 'server' && loaded.phase === 'loading' && loaded.q !== q,
    problem: loaded.problem,
    hasMore: source.kind === 'server' && loaded.nextCursor !== null,
    labelOf(value) {
      const known = source.kind === 'inline' ? source.options : source.known;
      return labels.get(value) ?? known?.find((option) => option.value === value)?.label ?? null;
    },
    loadMore: () => {
      if (loaded.phase === 'ready' && loaded.nextCursor !== null) void ask(loaded.nextCursor);
    },
    retry: () => setAttempt((count) => count + 1),
  };
}
