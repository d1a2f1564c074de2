import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParamsBase,
} from 'openai/resources/chat/completions/completions';
import {
  type AskProvider,
  type ModelAnswer,
  type ModelEnd,
  type ModelQuestion,
  type ModelSettings,
  type ModelUsage,
  NO_USAGE,
  PROVIDERS,
} from './model.ts';
import { TextGatherer } from './text-gatherer.ts';

const RETRIES_MAX = 1;

/**
 * Asks through chat completions, which OpenAI, Ollama, vLLM and many others support. The library is loaded at the first
 * request.
 */
export const askOpenai: AskProvider = async (settings, question, fetch) => {
  const { default: OpenAI } = await import('openai');
  // Sets everything that the library would otherwise read from the environment.
  const client = new OpenAI({
    apiKey: settings.apiKey,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: settings.baseUrl ?? PROVIDERS.openai.baseUrl,
    maxRetries: RETRIES_MAX,
    timeout: settings.timeoutMs,
    logLevel: 'off',
    fetch,
  });
  const body = bodyOf(settings, question);
  const { signal, onText } = question;
  if (onText === null)
    return answerOf(await client.chat.completions.create({ ...body, stream: false }, { signal }));
  const streamed = { ...body, stream: true as const, stream_options: { include_usage: true } };
  return gather(await client.chat.completions.create(streamed, { signal }), onText);
};

type Body = Pick<
  ChatCompletionCreateParamsBase,
  'model' | 'messages' | 'max_tokens' | 'max_completion_tokens'
>;

/** OpenAI's own models no longer accept `max_tokens`; compatible servers know nothing else. */
function bodyOf(settings: ModelSettings, { system, messages }: ModelQuestion): Body {
  const limit =
    settings.baseUrl === null
      ? { max_completion_tokens: settings.maxTokens }
      : { max_tokens: settings.maxTokens };
  return { model: settings.model, messages: [{ role: 'system', content: system }, ...messages], ...limit };
}

/** The types say what should come; a merely compatible server may send anything. */
function answerOf(completion: Partial<ChatCompletion> | null | undefined): ModelAnswer {
  const choice = completion?.choices?.[0];
  const { content, refusal } = choice?.message ?? {};
  if (typeof content !== 'string' && typeof refusal !== 'string')
    throw new SyntaxError('The answer has no choice with a message');
  return {
    text: content ?? '',
    end: endOf(choice?.finish_reason, refusal),
    refusal: refusal ?? null,
    usage: usageOf(completion?.usage),
  };
}

async function gather(
  chunks: AsyncIterable<ChatCompletionChunk>,
  onText: ModelQuestion['onText'],
): Promise<ModelAnswer> {
  const gathered = new TextGatherer(onText);
  const refused = new TextGatherer(null);
  let finish: string | null = null;
  let usage = NO_USAGE;
  for await (const chunk of chunks as AsyncIterable<Partial<ChatCompletionChunk>>) {
    const choice = chunk.choices?.[0];
    await gathered.add(choice?.delta?.content);
    await refused.add(choice?.delta?.refusal);
    finish = choice?.finish_reason ?? finish;
    if (chunk.usage) usage = usageOf(chunk.usage);
  }
  const refusal = refused.text === '' ? null : refused.text;
  return { text: gathered.text, end: finish === null ? 'cut' : endOf(finish, refusal), refusal, usage };
}

function endOf(finish: string | null | undefined, refusal: string | null | undefined): ModelEnd {
  if (typeof refusal === 'string' && refusal !== '') return 'refusal';
  if (finish === 'content_filter') return 'refusal';
  return finish === 'length' ? 'length' : 'complete';
}

function usageOf(usage: ChatCompletion['usage'] | null): ModelUsage {
  return { input_tokens: usage?.prompt_tokens ?? 0, output_tokens: usage?.completion_tokens ?? 0 };
}
