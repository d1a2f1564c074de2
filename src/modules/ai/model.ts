import type { AI_PROVIDERS } from '../../config.ts';

export type ModelProvider = (typeof AI_PROVIDERS)[number];

/** Which model is asked, and with what. */
export interface ModelSettings {
  readonly provider: ModelProvider;
  readonly apiKey: string;
  /** Null: the provider's own. */
  readonly baseUrl: string | null;
  readonly model: string;
  readonly maxTokens: number;
  /** Of one question, from its sending to the end of its answer. */
  readonly timeoutMs: number;
}

export interface ModelMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

export interface ModelQuestion {
  readonly system: string;
  /** Begins and ends with one of the user. */
  readonly messages: readonly ModelMessage[];
  /** Set: the answer is streamed, and each piece told as it comes; it waits for who takes it. */
  readonly onText: ((text: string) => Promise<void>) | null;
  /** Ends the request to the provider. */
  readonly signal: AbortSignal;
}

export interface ModelUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
}

/** How an answer ended. `cut`: the connection did before the answer. */
export type ModelEnd = 'complete' | 'length' | 'refusal' | 'cut';

export interface ModelAnswer {
  readonly text: string;
  readonly end: ModelEnd;
  /** In the model's words, where it refuses. */
  readonly refusal: string | null;
  readonly usage: ModelUsage;
}

/** One question to one provider over `fetch`. Rejects with what its library throws. */
export type AskProvider = (
  settings: ModelSettings,
  question: ModelQuestion,
  fetch: typeof globalThis.fetch,
) => Promise<ModelAnswer>;

export const NO_USAGE: ModelUsage = { input_tokens: 0, output_tokens: 0 };

/** What is known of the providers themselves. */
export const PROVIDERS: Readonly<
  Record<ModelProvider, { readonly baseUrl: string; readonly model: string }>
> = {
  openai: { baseUrl: 'https://api.openai.com/v1', model: 'gpt-5.4-mini' },
  anthropic: { baseUrl: 'https://api.anthropic.com', model: 'claude-sonnet-5' },
};

/** Longest text of an answer, in characters; what is longer is no task. */
export const ANSWER_CHARS_MAX = 524_288;
