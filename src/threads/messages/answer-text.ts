import type { Answer, CallKind } from './calls.ts';
import type { WidgetAnswer } from './widget-calls.ts';

type Codec = 'value' | 'text' | 'widget';

/**
 * Answers travel as one string, which crosses threads and processes at the cost of a copy. Payloads that go on to a client
 * (`text`, `widget`) are never parsed on the way; a widget's first character tells payload from error.
 */
const CODEC_OF = {
  parse_task: 'value',
  check_replay: 'value',
  parse_template: 'value',
  parse_dashboard: 'value',
  parse_bundle: 'value',
  write_bundle: 'text',
  validate_job_config: 'value',
  render_node: 'value',
  job_key: 'value',
  test_connector: 'value',
  introspect: 'value',
  oauth_app: 'value',
  explore: 'text',
  preview: 'text',
  test_task: 'text',
  widget: 'widget',
  shared_query: 'widget',
  options: 'text',
  missing_options: 'value',
  widget_rows: 'text',
  widget_export: 'value',
  prepare_action: 'value',
  connector_call: 'text',
} as const satisfies Record<CallKind, Codec>;

const PAYLOAD = '=';
const ERROR = '!';

export function encodeAnswer(kind: CallKind, value: unknown): string {
  switch (CODEC_OF[kind]) {
    case 'value':
      return JSON.stringify(value);
    case 'text':
      return value as string;
    case 'widget': {
      const answer = value as WidgetAnswer;
      return 'json' in answer ? PAYLOAD + answer.json : ERROR + answer.error;
    }
  }
}

export function decodeAnswer<K extends CallKind>(kind: K, text: string): Answer<K> {
  const codec: Codec = CODEC_OF[kind];
  switch (codec) {
    case 'value':
      return JSON.parse(text) as Answer<K>;
    case 'text':
      return text as Answer<K>;
    case 'widget': {
      const answer: WidgetAnswer = text.startsWith(PAYLOAD)
        ? { json: text.slice(1) }
        : { error: text.slice(1) };
      return answer as Answer<K>;
    }
  }
}
