import type { JsonObject } from './json';

/** Something that happened to one subject of a workspace; written in the transaction in which it happened. */
export interface DomainEvent {
  /** `<subject>.<past tense>`, for example `album.created`. */
  readonly name: string;
  readonly subject_id: string;
  readonly payload: JsonObject;
}
