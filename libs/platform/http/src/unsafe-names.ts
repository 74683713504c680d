import { invalidFields, MOST_FAULTS, Problem, type FieldFault } from '@atrium/platform/kernel';

/** Names that would reach the prototype of an object. The framework removes them from all input without a word; here they are refused like any other unknown name. */
export const UNSAFE_NAMES = ['__proto__', 'constructor', 'prototype'];

const UNSAFE = new RegExp(UNSAFE_NAMES.join('|'));
const MOST_PARAMETERS = 1_000;

/** Whether one of the names may be in a text of JSON, in which any character may be written by its number. */
export const mayNameUnsafely = (json: string): boolean => UNSAFE.test(json) || json.includes('\\u');

/** Refuses what the parser of query strings or the framework would drop: unsafe names at any place in a name, and parameters beyond the thousandth. */
export function refuseLostParameters(url: string): void {
  const query = url.slice(url.indexOf('?') + 1);
  // Any letter may be escaped.
  if (query.length < 2 * MOST_PARAMETERS && !query.includes('%') && !UNSAFE.test(query)) return;
  const names = [...new URLSearchParams(query).keys()];
  if (names.length > MOST_PARAMETERS)
    throw new Problem('validation_failed', `A request can have at most ${MOST_PARAMETERS} query parameters.`);
  const lost = names.filter((name) => name.split(/[[\]]/).some((part) => UNSAFE_NAMES.includes(part)));
  if (lost.length > 0) throw invalidFields(lost.slice(0, MOST_FAULTS).map(unknown));
}

const unknown = (path: string): FieldFault => ({ path, code: 'unknown_field', message: 'is unknown' });
