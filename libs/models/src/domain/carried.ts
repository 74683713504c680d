import type { SharedV3ProviderOptions } from '@ai-sdk/provider';
import { asJson, isObject, type JsonObject } from '@atrium/platform/kernel';

/** What a provider sent with a step besides its words, opaque to everybody else: it wants it back with the step. */
export interface Carried {
  /** The model that sent it, `provider/model`: no other one is given it. */
  readonly by: string;
  /** Signed thoughts of the Messages protocol, in their order. */
  readonly thoughts?: readonly CarriedThought[];
  /** Members of the message, such as `reasoning_content`. */
  readonly message?: JsonObject;
  /** What came with each of its calls, in their order. */
  readonly calls?: readonly (JsonObject | null)[];
}

export type CarriedThought = { readonly text: string; readonly signature: string } | { readonly redacted: string };

/** As the database writes it, which keeps no more than 128 KiB: thoughts at the highest effort stay below it. */
const MOST_BYTES = 120 * 1024;
/** Behind each of them the database writes a space. */
const SPACED = /[,:]/g;

const OPTIONS_OF = 'atriumCarried';

/** Options of the message of the step; libraries of protocols ignore them. */
export const carriedOptions = (carried: Carried): SharedV3ProviderOptions => ({
  [OPTIONS_OF]: asJson(carried) as SharedV3ProviderOptions[string],
});

export const carriedInOptions = (options: SharedV3ProviderOptions | undefined): Carried | null => carriedOf(options?.[OPTIONS_OF]);

/** What was put there as carried; null for anything else. */
export const carriedOf = (value: unknown): Carried | null => (isCarried(value) ? value : null);

const isCarried = (value: unknown): value is Carried => isObject(value) && typeof value.by === 'string';

/** What can be kept of it: all of it, without the words of its thoughts where these are too long, or nothing. */
export function keptCarried(carried: Carried): Carried | null {
  const { thoughts = [], message = {}, calls = [] } = carried;
  if (thoughts.length === 0 && Object.keys(message).length === 0 && calls.every((one) => one === null)) return null;
  if (fits(carried)) return carried;
  const signs = { by: carried.by, calls };
  return calls.some((one) => one !== null) && fits(signs) ? signs : null;
}

function fits(carried: Carried): boolean {
  const json = JSON.stringify(carried);
  // Neither can be stored; a backslash of the text itself, which JSON doubles, makes no escape.
  const isWhole = !/\\u(?:0000|d[89a-f])/i.test(json.replaceAll('\\\\', ''));
  return isWhole && Buffer.byteLength(json.replace(SPACED, '$& ')) <= MOST_BYTES;
}
