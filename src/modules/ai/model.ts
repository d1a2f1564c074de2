import type { AI_PROVIDERS } from '../../config.ts';

export type ModelProvider = (typeof AI_PROVIDERS)[number];

/** The model and its credentials. */
export interface ModelSettings {
  readonly provider: ModelProvider;
  readonly apiKey: string;
  /** Null: the provider's own. */
  readonly baseUrl: string | null;
  readonly model: string;
  readonly maxTokens: number;
  /** The limit of one request, until the end of its answer. */
  readonly timeoutMs: number;
}

export interface ModelMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

export interface ModelQuestion {
  readonly system: string;
  /** Starts and ends with a message of the user. */
  readonly messages: readonly ModelMessage[];
  /** Set: the answer is streamed, and each piece passed on; it waits for the receiver. */
  readonly onText: ((text: string) => Promise<void>) | null;
  /** Aborts the request to the provider. */
  readonly signal: AbortSignal;
}

export interface ModelUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
}

/** How an answer ended. `cut`: the connection ended first. */
export type ModelEnd = 'complete' | 'length' | 'refusal' | 'cut';

export interface ModelAnswer {
  readonly text: string;
  readonly end: ModelEnd;
  /** The model's own words if it refuses. */
  readonly refusal: string | null;
  readonly usage: ModelUsage;
}

/** One request to a provider over `fetch`. Rejects with what its library throws. */
export type AskProvider = (
  settings: ModelSettings,
  question: ModelQuestion,
  fetch: typeof globalThis.fetch,
) => Promise<ModelAnswer>;

export const NO_USAGE: ModelUsage = { input_tokens: 0, output_tokens: 0 };

/** Defaults of the providers. */
export const PROVIDERS: Readonly<
  Record<ModelProvider, { readonly baseUrl: string; readonly model: string }>
> = {
  openai: { baseUrl: 'https://api.openai.com/v1', model: 'gpt-5.4-mini' },
  anthropic: { baseUrl: 'https://api.anthropic.com', model: 'claude-sonnet-5' },
};

/** Longest text of an answer, in characters; a longer one is not a task. */
export const ANSWER_CHARS_MAX = 524_288;
