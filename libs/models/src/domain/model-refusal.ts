import { Problem } from '@atrium/platform/kernel';

/** A permanent refusal by a model provider: a repetition cannot help. It never quotes the provider, whose words may contain the key. */
export class ModelRefusal extends Problem {}
