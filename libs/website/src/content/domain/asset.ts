import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { ownField } from './content-form';
import { isSafeUrl } from './safe-url';
import { checkKeys, checkReference, checkTextAt, filledOnly, type Steps, type ValueCheck } from './value-check';

export const ASSET_KEYS = ['file', 'url', 'alt', 'title', 'focus', 'source'] as const;

/** An asset in the form in which it is stored: a file of the workspace or an address, and how it is described and cropped. */
export function checkAsset(
  value: JsonValue,
  check: ValueCheck,
  { needsAlt = false, steps = [] }: { readonly needsAlt?: boolean; readonly steps?: Steps } = {},
): JsonObject | undefined {
  const asset = checkKeys(value, ASSET_KEYS, check, steps);
  if (!asset) return undefined;
  const [file, url] = [ownField(asset, 'file') ?? null, ownField(asset, 'url') ?? null];
  if ((file === null) === (url === null))
    return check.refuse(steps, file === null ? 'required' : 'type', 'must have either a file or a url.');
  const from =
    file === null ? { url: checkAddress(asset, check, steps) } : { file: checkReference(file, 'file', check, [...steps, 'file']) };
  const texts = {
    alt: checkTextAt(asset, 'alt', { longest: 1_000, check, steps }),
    title: checkTextAt(asset, 'title', { longest: 255, check, steps }),
    source: checkTextAt(asset, 'source', { longest: 255, check, steps }),
  };
  const isComplete = !needsAlt || texts.alt !== null || check.lack([...steps, 'alt'], 'required', 'must have an alternative text.');
  const focus = checkFocus(asset, check, steps);
  const all: readonly unknown[] = [...Object.values(from), ...Object.values(texts), focus];
  if (all.includes(undefined) || !isComplete) return undefined;
  const { alt, title, source } = texts;
  return filledOnly({ ...from, alt, title, focus, source });
}

function checkAddress(asset: JsonObject, check: ValueCheck, steps: Steps): string | undefined {
  const url = checkTextAt(asset, 'url', { longest: 2_048, check, steps });
  if (typeof url === 'string' && isSafeUrl(url, ['https'])) return url;
  return url === undefined ? undefined : check.refuse([...steps, 'url'], 'format', 'must have an address that starts with https://.');
}

function checkFocus(asset: JsonObject, check: ValueCheck, steps: Steps): JsonObject | null | undefined {
  const value = ownField(asset, 'focus') ?? null;
  if (value === null) return null;
  const at = [...steps, 'focus'];
  const focus = checkKeys(value, ['x', 'y'], check, at);
  if (!focus) return undefined;
  const [x, y] = [ownField(focus, 'x'), ownField(focus, 'y')];
  if (isShare(x) && isShare(y)) return { x, y };
  return check.refuse(at, 'format', 'must have a focus with x and y from 0 to 1.');
}

const isShare = (value: JsonValue | undefined): value is number => typeof value === 'number' && value >= 0 && value <= 1;

/** The file of a stored asset; null where it is an address. */
export function assetFile(value: JsonValue | undefined): string | null {
  const file = isObject(value) ? ownField(value, 'file') : undefined;
  return typeof file === 'string' ? file : null;
}

/** The words of an asset for people. */
export const assetText = (value: JsonValue): string =>
  isObject(value)
    ? ['alt', 'title']
        .map((key) => ownField(value, key))
        .filter((part): part is string => typeof part === 'string')
        .join('\n')
    : '';
