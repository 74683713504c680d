import { Problem } from '@atrium/platform/kernel';
import { ModelRefusal, ProviderProblem } from '../domain/model-refusal';
import { NotAsked } from '../domain/not-asked';
import { wordsOf } from '../domain/provider-words';
import { refusalOf } from './wire/refusal-of';

/** Protocol libraries wrap errors of their `fetch`; when they cannot read an answer themselves, it cannot be used. */
export function problemOf(error: unknown, provider: string): unknown {
  const given = problemIn(error);
  if (given) return given;
  if (error instanceof Error && error.name === 'AbortError') return error;
  return new ModelRefusal('unprocessable_content', `The response of the model provider ${provider} does not follow its protocol.`);
}

/** What broke a stream off: an error that the provider reports in it, or one of the network. */
export function streamProblemOf(error: unknown, provider: string, secrets: readonly string[] = []): Problem {
  const given = problemIn(error);
  if (given?.code === 'upstream_timeout')
    return new Problem('upstream_timeout', `The model provider ${provider} stopped responding during its answer.`);
  if (given) return given.code === 'upstream_failed' && !(given instanceof ProviderProblem) ? providerInterrupted(provider) : given;
  return refusalOf({ provider, status: null, words: error instanceof Error ? null : wordsOf(error, secrets) });
}

export const providerInterrupted = (provider: string): Problem =>
  new Problem('upstream_failed', `The model provider ${provider} interrupted its response.`);

/** The error that says that no provider was reading the question when it was given up, if it is that. */
export const notAskedIn = (error: unknown): NotAsked | null => firstIn(error, (at): at is NotAsked => at instanceof NotAsked);

const problemIn = (error: unknown): Problem | null => firstIn(error, (at): at is Problem => at instanceof Problem);

function firstIn<T extends Error>(error: unknown, is: (at: Error) => at is T): T | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (is(at)) return at;
  return null;
}
