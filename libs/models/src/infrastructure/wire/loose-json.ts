import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';

/** What providers send, as far as it is what it should be. */
export const objectOf = (value: unknown): JsonObject | null => (isObject(value) ? value : null);

export const listOf = (value: unknown): readonly JsonValue[] => (Array.isArray(value) ? (value as readonly JsonValue[]) : []);

export const objectsIn = (value: unknown): readonly JsonObject[] => {
  const objects: JsonObject[] = [];
  for (const one of listOf(value)) {
    const object = objectOf(one);
    if (object) objects.push(object);
  }
  return objects;
};

/** Ids come as numbers too. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null;

export const wholeOf = (value: unknown): number | null => {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? Math.round(number) : null;
};

export function parsedJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The input of a call, which is JSON in a text: some providers send the JSON itself. */
export const writtenInput = (value: JsonValue | undefined): string | null =>
  value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value);
