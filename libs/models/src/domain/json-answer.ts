import type { JsonObject } from '@atrium/platform/kernel';

/** The one JSON object that a text is, with a code fence around it or without; null when it is none. */
export function objectIn(said: string): JsonObject | null {
  const [, fenced = said] = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/.exec(said) ?? [];
  try {
    const value: unknown = JSON.parse(fenced);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}
