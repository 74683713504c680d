import type { FieldFault, JsonObject } from '@atrium/platform/kernel';

/** Content that a row may have unless its owner says otherwise. */
export const MOST_CONTENT_BYTES = 256 * 1024;
export const TOO_LARGE = 'length';

/** What is said of content that is too large as a whole. */
export function sizeFault(content: JsonObject, most: number, at: string): FieldFault | undefined {
  if (Buffer.byteLength(JSON.stringify(content)) <= most) return undefined;
  return { path: at, code: TOO_LARGE, message: `The content must have at most ${Math.floor(most / 1024)} KB.` };
}
