import type {
  Message,
  MessageCreateParamsBase,
  RawMessageStreamEvent,
} from '@anthropic-ai/sdk/resources/messages';
import {
  type AskProvider,
  type ModelAnswer,
  type ModelEnd,
  type ModelQuestion,
  type ModelSettings,
  PROVIDERS,
} from './model.ts';
import { TextGatherer } from './text-gatherer.ts';

const RETRIES_MAX = 1;

/** Asks through Anthropic's messages. The library is loaded at the first request. */
export const askAnthropic: AskProvider = async (settings, question, fetch) => {
  const { default: Anthropic } = await import('@anthropic-ai/sdk');
  // Sets everything that the library would otherwise read from the environment.
  const client = new Anthropic({
    apiKey: settings.apiKey,
    webhookKey: null,
    baseURL: settings.baseUrl ?? PROVIDERS.anthropic.baseUrl,
    maxRetries: RETRIES_MAX,
    timeout: settings.timeoutMs,
    logLevel: 'off',
    // Compatible servers may only know this header.
    ...(settings.baseUrl !== null && { defaultHeaders: { 'x-api-key': settings.apiKey } }),
    fetch,
  });
  const body = bodyOf(settings, question);
  const { signal, onText } = question;
  if (onText === null) return answerOf(await client.messages.create({ ...body, stream: false }, { signal }));
  return gather(await client.messages.create({ ...body, stream: true }, { signal }), onText);
};

type Body = Pick<MessageCreateParamsBase, 'model' | 'messages' | 'max_tokens' | 'system'>;

function bodyOf({ model, maxTokens }: ModelSettings, { system, messages }: ModelQuestion): Body {
  return { model, max_tokens: maxTokens, system, messages: [...messages] };
}

/** The types say what should come; a merely compatible server may send anything. */
function answerOf(message: Partial<Message> | null | undefined): ModelAnswer {
  if (!Array.isArray(message?.content)) throw new SyntaxError('The answer has no content');
  const text = message.content.map((block) => (block?.type === 'text' ? block.text : '')).join('');
  const { input_tokens = 0, output_tokens = 0 } = message.usage ?? {};
  return { text, end: endOf(message.stop_reason), refusal: null, usage: { input_tokens, output_tokens } };
}

async function gather(
  events: AsyncIterable<RawMessageStreamEvent>,
  onText: ModelQuestion['onText'],
): Promise<ModelAnswer> {
  const gathered = new TextGatherer(onText);
  let stop: string | null = null;
  let ended = false;
  let usage = { input_tokens: 0, output_tokens: 0 };
  for await (const event of events) {
    switch (event.type) {
      case 'message_start':
        usage = { ...usage, input_tokens: event.message?.usage?.input_tokens ?? 0 };
        break;
      case 'content_block_delta':
        if (event.delta?.type === 'text_delta') await gathered.add(event.delta.text);
        break;
      case 'message_delta':
        stop = event.delta?.stop_reason ?? stop;
        usage = { ...usage, output_tokens: event.usage?.output_tokens ?? 0 };
        break;
      case 'message_stop':
        ended = true;
        break;
      default:
        break;
    }
  }
  return { text: gathered.text, end: ended ? endOf(stop) : 'cut', refusal: null, usage };
}

function endOf(stop: string | null | undefined): ModelEnd {
  if (stop === 'refusal') return 'refusal';
  return stop === 'max_tokens' || stop === 'model_context_window_exceeded' ? 'length' : 'complete';
}
