import type { JsonObject } from '@atrium/platform/kernel';

/** The parameter of a file job under a name; empty when it is no text. */
export function auditedText(params: JsonObject, name: string): string {
  const told = params[name];
  return typeof told === 'string' ? told : '';
}
