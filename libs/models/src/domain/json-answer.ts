import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';

const FENCE = '```';

/** The JSON that a text is, with a code fence around it or without; undefined when it is none. */
export function jsonOf(said: string): JsonValue | undefined {
  try {
    return JSON.parse(withoutFence(said.trim())) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Each end is looked at once: models that degenerate write thousands of blank lines. */
function withoutFence(text: string): string {
  const head = text.indexOf('\n');
  const isFenced = head > 0 && text.startsWith(FENCE) && text.endsWith(FENCE) && text.length > head + FENCE.length;
  return isFenced && ['', 'json'].includes(text.slice(FENCE.length, head).trim()) ? text.slice(head + 1, -FENCE.length) : text;
}

/** The same where it is one object; null when it is not. */
export function objectIn(said: string): JsonObject | null {
  const value = jsonOf(said);
  return isObject(value) ? value : null;
}
