import type { JsonObject, JsonValue } from '@atrium/platform/kernel';

/** The JSON that a text is, with a code fence around it or without; undefined when it is none. */
export function jsonOf(said: string): JsonValue | undefined {
  const [, fenced = said] = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/.exec(said) ?? [];
  try {
    return JSON.parse(fenced) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The same where it is one object; null when it is not. */
export function objectIn(said: string): JsonObject | null {
  const value = jsonOf(said);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}
