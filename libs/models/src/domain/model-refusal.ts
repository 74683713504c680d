import { Problem } from '@atrium/platform/kernel';

/** What a provider of models refuses for good: asking again can not help. Its own words never stand in it, they may hold the key. */
export class ModelRefusal extends Problem {}
