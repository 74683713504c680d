import { Injectable } from '@nestjs/common';
import type { UsageParamName } from '@atrium/governance';
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { Database } from '@atrium/platform/database';
import { Problem, type JsonObject } from '@atrium/platform/kernel';
import { objectIn } from '../domain/json-answer';
import { ModelRefusal } from '../domain/model-refusal';
import { NotAsked } from '../domain/not-asked';
import type { TextModel } from '../domain/text-model';
import { addTokens, NO_TOKENS, type TokenUsage } from '../domain/token-usage';
import { answerCheckOf, type AnswerCheck } from '../infrastructure/answer-schema';
import { readOf, textOfPrompt } from '../infrastructure/prompt-text';
import { loadTokenCount } from '../infrastructure/token-count';
import { wholeAnswer, type CompleteAnswer } from '../infrastructure/whole-answer';
import { ModelUsage } from './model-usage';
import { TextModels } from './text-models';

/** One question to a model that writes text. */
export interface TextRequest {
  /** JSON Schema of the answer, an object; without it the answer is text. */
  readonly schema?: JsonObject;
  readonly system?: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
  /** What the tokens are charged as. */
  readonly param: UsageParamName;
  readonly model_id?: string | null;
  readonly user: string | null;
  /** Names the call in every attempt of the work it belongs to: it is charged once. */
  readonly call: string;
  readonly ref: JsonObject;
  /** Most tokens of the answer; as many as the model allows unless said otherwise, at most 8,000. */
  readonly max_output_tokens?: number;
  readonly signal?: AbortSignal;
  readonly tries?: number;
}

export interface TextAnswer {
  readonly text: string;
  /** The answer as the schema describes it; only with a schema. */
  readonly data?: JsonObject;
  /** `length`: the model ran out of output tokens. */
  readonly finish: CompleteAnswer['finish'];
  readonly usage: TokenUsage;
  readonly model_id: string;
}

const MOST_OUTPUT_TOKENS = 8_000;

/**
 * Port to models that write text, for one question each: reserves credits, asks outside of any unit of work, checks the answer
 * against its schema, once more where it does not fit, and charges what was used, also for an answer that cannot be used.
 */
@Injectable()
export class TextGeneration {
  constructor(
    private readonly models: TextModels,
    private readonly usage: ModelUsage,
    private readonly db: Database,
  ) {}

  async generateText(request: TextRequest): Promise<TextAnswer> {
    const { schema, model_id, user, param, call, ref, signal, tries } = request;
    const check = schema && answerCheckOf(schema);
    const text = await this.models.resolveModel(model_id);
    const options = callOptions(request, text);
    const model = text.model.model_id;
    const hold = await this.usage.reserveCredits({ param, units: await this.mostTokens(options), model, user }, call);
    let used: TokenUsage | undefined;
    const ask = async (asked: LanguageModelV3CallOptions, language: LanguageModelV3): Promise<CompleteAnswer> => {
      try {
        const answer = await wholeAnswer(language, asked);
        used = addTokens(used ?? NO_TOKENS, answer.usage);
        return answer;
      } catch (error) {
        if (error instanceof NotAsked) throw error.cause;
        // Given up while the provider was reading: it takes its price for what it read.
        if (!(error instanceof Problem)) used = addTokens(used ?? NO_TOKENS, await readOf(asked));
        throw error;
      }
    };
    try {
      const language = await text.openModel({ signal, tries });
      const { answer, data } = await fitting(options, check, (asked) => ask(asked, language));
      return { text: answer.text, ...(data && { data }), finish: answer.finish, usage: used ?? answer.usage, model_id: model };
    } finally {
      const units = used ? used.input_tokens + used.output_tokens : 0;
      if (units > 0) await this.db.write(async () => this.usage.chargeCall({ param, units, model, user, call, ref, hold: hold.hold_id }));
      await this.usage.releaseHold(hold.hold_id);
    }
  }

  private async mostTokens(options: LanguageModelV3CallOptions): Promise<number> {
    const count = await loadTokenCount();
    return count(textOfPrompt(options)) + (options.maxOutputTokens ?? MOST_OUTPUT_TOKENS);
  }
}

function callOptions({ system, messages, schema, max_output_tokens }: TextRequest, { model }: TextModel): LanguageModelV3CallOptions {
  const most = Math.min(model.model_max_output ?? MOST_OUTPUT_TOKENS, max_output_tokens ?? MOST_OUTPUT_TOKENS);
  const told = schema && `The answer is one JSON object of this JSON Schema, and nothing else:\n${JSON.stringify(schema)}`;
  const instruction = [system, told].filter((one) => one !== undefined).join('\n\n');
  return {
    prompt: [
      ...(instruction === '' ? [] : [{ role: 'system' as const, content: instruction }]),
      ...messages.map(({ role, text }) => ({ role, content: [{ type: 'text' as const, text }] })),
    ],
    maxOutputTokens: most,
    ...(schema && {
      responseFormat: {
        type: 'json' as const,
        ...(model.model_capabilities.includes('json') ? { schema: schema, name: 'answer' } : {}),
      },
    }),
  };
}

/** An answer that fits, of one question or two. */
async function fitting(
  options: LanguageModelV3CallOptions,
  check: AnswerCheck | undefined,
  ask: (options: LanguageModelV3CallOptions) => Promise<CompleteAnswer>,
): Promise<{ readonly answer: CompleteAnswer; readonly data?: JsonObject }> {
  const first = await ask(options);
  if (!check) return { answer: await worded(first, () => ask(options)) };
  const wrong = faultOf(first, check);
  if (typeof wrong === 'object') return { answer: first, data: wrong };
  const repair: LanguageModelV3Prompt = [
    { role: 'assistant', content: [{ type: 'text', text: first.text === '' ? '(nothing)' : first.text }] },
    {
      role: 'user',
      content: [{ type: 'text', text: `That does not fit the JSON Schema: ${wrong}. Answer again with one JSON object that does.` }],
    },
  ];
  const second = await ask({ ...options, prompt: [...options.prompt, ...repair] });
  const data = faultOf(second, check);
  if (typeof data === 'object') return { answer: second, data };
  throw new ModelRefusal('unprocessable_content', 'The model repeatedly returned an answer that does not match the schema.');
}

/** An answer with words, of one question or two; a refusal needs none. */
async function worded(first: CompleteAnswer, again: () => Promise<CompleteAnswer>): Promise<CompleteAnswer> {
  const isBlank = ({ text, finish }: CompleteAnswer): boolean => text.trim() === '' && finish !== 'filter';
  const answer = isBlank(first) ? await again() : first;
  if (isBlank(answer)) throw new ModelRefusal('unprocessable_content', 'The model repeatedly returned no answer.');
  return answer;
}

/** What is wrong with an answer, in a sentence for the model; or what it says, where nothing is. */
function faultOf({ text, finish }: CompleteAnswer, check: AnswerCheck): string | JsonObject {
  if (finish === 'filter') throw new ModelRefusal('unprocessable_content', 'The model refused to answer.');
  const data = objectIn(text);
  return data === null ? 'it is not a JSON object' : (check(data) ?? data);
}
