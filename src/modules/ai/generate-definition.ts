import { AppError, type Problem } from '../../base/errors.ts';
import type { CatalogueEntry } from '../../drivers/registry.ts';
import { YAML_LENGTH_MAX } from '../definitions/definition-fields.ts';
import type { AskModel } from './ask-model.ts';
import type { GenerationMaterial } from './generation-material.ts';
import { type ModelMessage, type ModelSettings, type ModelUsage, NO_USAGE } from './model.ts';
import type { Written } from './prompt/compact-schema.ts';
import { nounOf, repairMessage, systemPrompt, wishMessage } from './prompt/prompts.ts';

export const ATTEMPTS_MAX = 3;
/** Problems returned to callers. */
const PROBLEMS_MAX = 100;

export interface GeneratedDefinition {
  readonly yaml_content: string;
  readonly valid: true;
  readonly problems: readonly Problem[];
  readonly references_used: GenerationMaterial['referencesUsed'];
  /** The number of requests to the model. */
  readonly attempts: number;
  /** Of all attempts together. */
  readonly usage: ModelUsage;
}

/** Progress events. */
export interface GenerationProgress {
  phase(phase: 'generating' | 'validating' | 'repairing', attempt: number): Promise<void>;
  /** Null: the answer is not streamed. */
  readonly text: ((attempt: number, text: string) => Promise<void>) | null;
  problems(attempt: number, problems: readonly Problem[]): Promise<void>;
}

export interface GenerateDeps {
  readonly askModel: AskModel;
  /** The validators of the API. */
  readonly check: Readonly<Record<Written, CheckWritten>>;
  readonly catalogue: () => readonly CatalogueEntry[];
  /** The schemas that the model is shown, kept from one request to the next. */
  readonly schemas: Map<Written, string>;
}

/** What is wrong with a text; a dashboard's is held against its job template. */
export type CheckWritten = (yaml: string, jobTemplateId?: number) => Promise<readonly Problem[]>;

/**
 * Asks the model for a text, validates its answer, and lets it repair problems, in at most `ATTEMPTS_MAX` requests. Saves and
 * runs nothing. `UNPROCESSABLE` with the last problems if none was valid, `CONNECTOR_ERROR` if the model fails; rejects with
 * the signal's reason when it aborts.
 */
export async function generateDefinition(
  { askModel, check, catalogue, schemas }: GenerateDeps,
  settings: ModelSettings,
  { wish, jobTemplateId, referencesUsed }: GenerationMaterial,
  progress: GenerationProgress,
  signal: AbortSignal,
): Promise<GeneratedDefinition> {
  const { kind } = wish;
  const types = new Set(wish.connectors.map(({ type }) => type));
  const system = await systemPrompt(kind, catalogue(), types, schemas);
  const messages: ModelMessage[] = [{ role: 'user', content: wishMessage(wish) }];
  let problems: readonly Problem[] = [];
  let usage = NO_USAGE;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    await progress.phase(attempt === 1 ? 'generating' : 'repairing', attempt);
    const { text } = progress;
    const onText = text === null ? null : (piece: string) => text(attempt, piece);
    const answer = await askModel(settings, { system, messages, onText, signal });
    usage = sum(usage, answer.usage);
    await progress.phase('validating', attempt);
    const yaml = extractYaml(answer.text);
    problems = await problemsOf(yaml, nounOf(kind), (text) => check[kind](text, jobTemplateId));
    signal.throwIfAborted();
    if (problems.length === 0)
      return {
        yaml_content: yaml,
        valid: true,
        problems: [],
        references_used: referencesUsed,
        attempts: attempt,
        usage,
      };
    await progress.problems(attempt, problems);
    messages.push({ role: 'assistant', content: answer.text });
    messages.push({ role: 'user', content: repairMessage(kind, problems) });
  }
  const advice = `describe the ${nounOf(kind)} more precisely, or try another model`;
  const unseen = progress.text === null ? '; use "stream" to see its answers' : '';
  throw new AppError(
    'UNPROCESSABLE',
    `The model returned no valid ${nounOf(kind)} in ${ATTEMPTS_MAX} attempts: ${advice}${unseen}`,
    { details: problems },
  );
}

async function problemsOf(yaml: string, noun: string, check: CheckWritten): Promise<readonly Problem[]> {
  const unfit = unfitProblem(yaml, noun);
  if (unfit !== null) return [{ path: '', message: unfit }];
  return (await check(yaml)).slice(0, PROBLEMS_MAX);
}

/** Reasons for which the API would refuse it before parsing. */
function unfitProblem(yaml: string, noun: string): string | null {
  if (yaml.length > YAML_LENGTH_MAX) return `The ${noun} is longer than ${YAML_LENGTH_MAX} characters`;
  return yaml.includes('\u0000') ? `The ${noun} holds a NUL character` : null;
}

function sum(one: ModelUsage, other: ModelUsage): ModelUsage {
  return {
    input_tokens: one.input_tokens + other.input_tokens,
    output_tokens: one.output_tokens + other.output_tokens,
  };
}

const FENCE = /^[ \t]*(`{3,}|~{3,})[ \t]*([\w+-]*)[^\n]*$/;
const THINKING = /^\s*<think>[\s\S]*?<\/think>/;

interface Block {
  readonly language: string;
  readonly text: string;
}

/**
 * The YAML in a model's answer: of fenced blocks the longest that says it is YAML, else the longest; a fence that is not closed
 * goes to the end; without any fence it is the whole answer. Text in front of it is left out.
 */
export function extractYaml(answer: string): string {
  const text = answer.replace(THINKING, '').replaceAll('\r\n', '\n');
  const blocks = blocksOf(text);
  const yaml = blocks.filter(({ language }) => /^ya?ml$/i.test(language));
  const [first, ...others] = yaml.length > 0 ? yaml : blocks;
  if (first === undefined) return `${text.trim()}\n`;
  const longest = others.reduce(
    (kept, block) => (block.text.length > kept.text.length ? block : kept),
    first,
  );
  return `${longest.text.trimEnd()}\n`;
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: { readonly fence: string; readonly language: string; readonly lines: string[] } | null = null;
  for (const line of text.split('\n')) {
    const [, fence, language = ''] = FENCE.exec(line) ?? [];
    if (open === null) {
      if (fence !== undefined) open = { fence, language, lines: [] };
    } else if (fence !== undefined && language === '' && fence.startsWith(open.fence)) {
      blocks.push({ language: open.language, text: open.lines.join('\n') });
      open = null;
    } else {
      open.lines.push(line);
    }
  }
  if (open !== null) blocks.push({ language: open.language, text: open.lines.join('\n') });
  return blocks;
}
