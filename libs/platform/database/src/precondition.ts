import { createHash } from 'node:crypto';
import { Problem } from '@atrium/platform/kernel';

/** What `If-Match` asked for: the versions that may be changed, or any. */
export interface Precondition {
  readonly versions: readonly number[] | 'any';
}

/** An answer with the version that becomes its ETag. */
export interface Versioned {
  readonly row_version: number;
}

/** Rejects a change to a resource that has changed since the caller read it; called once it is locked. */
export function assertCurrent(precondition: Precondition | undefined, version: number, noun: string): void {
  if (!precondition || precondition.versions === 'any' || precondition.versions.includes(version)) return;
  throw new Problem('precondition_failed', `The ${noun} has changed since you read it. Read it again.`);
}

/**
 * The version of a resource that has no row of its own, or whose row changes by itself: made of its changeable values, in
 * this order. Equal values have equal versions, in every process.
 */
export const versionOf = (...values: readonly (string | number | boolean | null | readonly (string | number | null)[])[]): number =>
  createHash('sha256').update(JSON.stringify(values)).digest().readUIntBE(0, 6);
