import type { Problem } from '@atrium/platform/kernel';
import { ModelRefusal, ProviderProblem } from '../../domain/model-refusal';
import type { ProviderWords } from '../../domain/provider-words';

/** A question that was not answered. */
interface Refused {
  readonly provider: string;
  /** The provider's own name of the model, where it is known. */
  readonly model?: string | undefined;
  /** The status of HTTP; null where the provider said it within a stream. */
  readonly status: number | null;
  readonly words: ProviderWords | null;
}

const CONTEXT = [
  /context[_ ]?(?:length|window|size|limit)|maximum context|too many (?:input )?tokens|(?:prompt|input|conversation) is too long/i,
  /(?:input|prompt) tokens? .{0,80}exceed|exceed(?:s|ed)? .{0,80}(?:context|token limit|number of tokens|max length|maximum (?:input|prompt|model))/i,
  /maximum (?:prompt|input|model|sequence) length|max_model_len|range of input length|tokens_limit_reached|string_above_max_length/i,
  /request[_ ](?:entity )?(?:body )?too[_ ]large|`inputs` (?:tokens|must have less)|exceed_context_size/i,
] as const;
const QUOTA = [
  /insufficient[_ ](?:quota|credits?|balance|funds)|exceeded[_ ](?:your[_ ])?current[_ ]quota|billing|credit balance|out of credits?/i,
  /payment required|spend(?:ing)? limit|balance is (?:insufficient|too low|not enough)|arrearage|(?:does ?n.t|do not) have any credits/i,
  /(?:key|usage) limits? (?:is |was )?(?:exceeded|reached)|reached your .{0,40}usage limits/i,
] as const;
const NO_MODEL = [
  /model[_ ]not[_ ](?:found|exist|available|supported)|no such model|unknown[_ ]model|invalid[_ ]model\b|not found the model|no models? loaded/i,
  /models?[ /].{0,120}(?:does ?n.t exist|does not exist|not exist|not found|is not available|has been (?:deprecated|decommissioned|removed|shut down))/i,
  /decommissioned|try pulling it|not a valid model|model identifier is invalid|unable to access model|deploymentnotfound/i,
  /not_found_error .{0,20}model: |no endpoints found for (?!.{0,80}(?:tool|support|parameter|polic))|(?:does not|n.t) have access to (?:the )?model/i,
] as const;
const NO_KEY =
  /invalid[_ ]api[_ ]key|incorrect api key|authentication_error|api key (?:not valid|is invalid|not found|expired)|unauthenticated|permission_denied|permission_error|unauthorized/i;
const FILTERED = /content[_ ]filter|content management policy|responsibleai|content_policy|moderation|safety system/i;
const BUSY = /rate.?limit|too.?many.?requests|resource_exhausted|\b429\b/i;
const OVERLOADED = /overload|server_error|api_error|internal|unavailable|\b5\d\d\b/i;
/** A request that took too long to arrive, or came too early, may be taken next time. */
const TOO_SOON: ReadonlySet<number> = new Set([408, 425]);
const REJECTED = /invalid.?request|not_found|\b40[04]\b|\b422\b/i;

const speaksOf = (reason: readonly RegExp[], said: string): boolean => reason.some((pattern) => pattern.test(said));
const saidIn = ({ code, type, message }: ProviderWords): string => `${code} ${type} ${message}`;

/** Whether a provider says that the question, or what is asked for, is longer than the model takes. */
export const isTooLong = (words: ProviderWords): boolean => speaksOf(CONTEXT, saidIn(words));

/** What a refusal means here, in words of this service. Those of the provider go along with it, and decide where its status is vague. */
export function refusalOf(refused: Refused): Problem {
  const { provider, status, words } = refused;
  const said = words ? saidIn(words) : '';
  const names = words ? `${words.code} ${words.type}` : '';
  const named =
    refused.model === undefined ? `The model of the provider ${provider}` : `The model ${refused.model} of the provider ${provider}`;
  const final = (code: 'upstream_failed' | 'unprocessable_content', detail: string): Problem => new ModelRefusal(code, detail, words);
  const mayBeRequest = status === null || (status >= 400 && status < 500);
  // A provider that is busy may speak of tokens, quotas and models as well: there, its code alone says that it is for good.
  const reason = status === 429 ? names : said;
  if (status === 413 || (mayBeRequest && speaksOf(CONTEXT, reason) && !BUSY.test(names)))
    return final(
      'unprocessable_content',
      `${named} does not accept a request of this length. Shorten it, or choose a model with a larger context.`,
    );
  if (status === 402 || (mayBeRequest && speaksOf(QUOTA, reason)))
    return final(
      'upstream_failed',
      `The account with the model provider ${provider} has no credit left or has reached its limit. Only the owner of the account can change that.`,
    );
  const isOfModel = mayBeRequest && speaksOf(NO_MODEL, reason);
  const isFiltered = mayBeRequest && status !== 429 && FILTERED.test(said);
  // An account may be kept from one model, or from one question.
  const isOfKey = status === 403 ? !isOfModel && !isFiltered : status !== 429 && mayBeRequest && NO_KEY.test(said);
  if (status === 401 || isOfKey)
    return final('upstream_failed', `The model provider ${provider} rejected the credential. Check its API key.`);
  if (isOfModel)
    return final('upstream_failed', `${named} does not exist, or the account cannot use it. Correct the models of the provider.`);
  if (isFiltered) return final('unprocessable_content', `The content filter of the model provider ${provider} blocked the answer.`);
  if (status === 429 || (status === null && BUSY.test(names === ' ' ? said : names)))
    return new ProviderProblem('rate_limited', `The model provider ${provider} is busy. Try again later.`, words);
  if (status !== null && (status >= 500 || TOO_SOON.has(status)))
    return new ProviderProblem('upstream_failed', `The model provider ${provider} failed (HTTP ${status}).`, words);
  if (status !== null) return final('unprocessable_content', `The model provider ${provider} rejected the request (HTTP ${status}).`);
  if (REJECTED.test(names) && !OVERLOADED.test(names))
    return final('upstream_failed', `The model provider ${provider} rejected the request while answering it.`);
  return new ProviderProblem('upstream_failed', `The model provider ${provider} interrupted its response.`, words);
}
