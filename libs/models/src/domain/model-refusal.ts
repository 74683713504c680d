import { Problem, type ProblemCode, type ProblemExtras } from '@atrium/platform/kernel';
import type { ProviderWords } from './provider-words';

/**
 * A failure of a model provider. The detail is in words of this service and for everybody; what the provider itself said is for the log,
 * the run, and those who look after the model.
 */
export class ProviderProblem extends Problem {
  constructor(
    code: ProblemCode,
    detail: string,
    readonly words: ProviderWords | null = null,
    extras: ProblemExtras = {},
  ) {
    super(code, detail, extras);
  }
}

/** A permanent refusal by a model provider: a repetition cannot help. */
export class ModelRefusal extends ProviderProblem {}

/** What the provider itself said of a failure, however deep it is wrapped; null where it said nothing. */
export function reasonIn(error: unknown): string | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if (at instanceof ProviderProblem && at.words) return reasonOf(at.words);
  return null;
}

/** Is before the names alone: dashes of the provider's own words are written otherwise. */
const BEFORE_NAMES = '– ';

function reasonOf({ message, code, type }: ProviderWords): string | null {
  const names = plainDashes([code, type].filter((name) => name !== '').join(', '));
  return `${plainDashes(message)}${names === '' ? '' : ` ${BEFORE_NAMES}${names}`}`.trim() || null;
}

const plainDashes = (text: string): string => text.replaceAll('–', '-');

/** The code and the type in a reason, without the sentence, which may repeat the question; null where there are none. */
export function namesInReason(reason: string): string | null {
  const at = reason.indexOf(BEFORE_NAMES);
  return at < 0 ? null : reason.slice(at + BEFORE_NAMES.length);
}

/** A reason of which nothing is left but its names, which are found in it as before. */
export function namesAlone(reason: string): string | null {
  const names = namesInReason(reason);
  return names === null ? null : `${BEFORE_NAMES}${names}`;
}
