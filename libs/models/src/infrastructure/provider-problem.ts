import { Problem } from '@atrium/platform/kernel';
import { ModelRefusal } from '../domain/model-refusal';
import { NotAsked } from '../domain/not-asked';

/** Protocol libraries wrap errors of their `fetch`; when they cannot read an answer themselves, it cannot be used. */
export function problemOf(error: unknown, provider: string): unknown {
  const given = problemIn(error);
  if (given) return given;
  if (error instanceof Error && error.name === 'AbortError') return error;
  return new ModelRefusal('unprocessable_content', `The response of the model provider ${provider} does not follow its protocol.`);
}

const BUSY = /rate.?limit|too.?many|\b429\b/i;
const REJECTED = /auth|permission|api.?key|invalid.?request|\b40[0134]\b/i;

/** What broke a stream off: an error that the provider reports in it, or one of the network. The provider's own words stay here. */
export function streamProblemOf(error: unknown, provider: string): Problem {
  const given = problemIn(error);
  if (given?.code === 'upstream_timeout')
    return new Problem('upstream_timeout', `The model provider ${provider} fell silent while it answered.`);
  if (given) return given.code === 'upstream_failed' ? interrupted(provider) : given;
  const word = wordOf(error);
  if (BUSY.test(word)) return new Problem('rate_limited', `The model provider ${provider} is busy. Try again later.`);
  if (REJECTED.test(word))
    return new ModelRefusal('upstream_failed', `The model provider ${provider} rejected the request while it answered.`);
  return interrupted(provider);
}

export const interrupted = (provider: string): Problem =>
  new Problem('upstream_failed', `The model provider ${provider} interrupted its response.`);

/** The error that says that no provider was reading the question when it was given up, if it is that. */
export const notAskedIn = (error: unknown): NotAsked | null => firstIn(error, (at): at is NotAsked => at instanceof NotAsked);

const problemIn = (error: unknown): Problem | null => firstIn(error, (at): at is Problem => at instanceof Problem);

function firstIn<T extends Error>(error: unknown, is: (at: Error) => at is T): T | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (is(at)) return at;
  return null;
}

/** The code by which a protocol names an error of a stream. */
function wordOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || error instanceof Error) return '';
  const { type, code } = error as { readonly type?: unknown; readonly code?: unknown };
  return [type, code].filter((one) => typeof one === 'string' || typeof one === 'number').join(' ');
}
