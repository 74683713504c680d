import type { Sql } from '@atrium/platform/database';

/** A vector of a thing. */
export interface Entry {
  readonly id: string;
  readonly vector: readonly number[];
  /** What was made into the vector, as a hash. */
  readonly hash?: string;
}

/** What is searched among the vectors of a kind and model. */
export interface Nearness {
  readonly model: string;
  readonly limit: number;
  /** Cosine below which a thing is left out. */
  readonly threshold: number;
  /** A query that answers the ids of the things in question; without it, all of the kind. */
  readonly among?: Sql;
  /** Compares with each, however many there are. */
  readonly exact?: boolean;
}

/** A thing and how near it is: the cosine, from 0 to 1. */
export interface Near {
  readonly id: string;
  readonly similarity: number;
}
