import { Injectable } from '@nestjs/common';
import type { UsageParamName } from '@atrium/governance';
import type { JsonObject } from '@atrium/platform/kernel';
import type { TokenUsage } from '../domain/token-usage';

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
  readonly max_output_tokens?: number;
  readonly signal?: AbortSignal;
  readonly tries?: number;
}

export interface TextAnswer {
  readonly text: string;
  /** The answer as the schema describes it; only with a schema. */
  readonly data?: JsonObject;
  /** `length`: the model ran out of output tokens. */
  readonly finish: 'stop' | 'length' | 'filter';
  readonly usage: TokenUsage;
  readonly model_id: string;
}

/** Port to models that write text, for one question each: reserves credits, asks outside of any unit of work, checks the answer, charges. */
@Injectable()
export abstract class TextGeneration {
  abstract generate(request: TextRequest): Promise<TextAnswer>;
}
