import { invalidField, normalized, withoutEnds } from '@atrium/platform/kernel';

const MAX = 255;
const REFUSED = /[/\\\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
/** Names that are devices on Windows, whatever extension they carry. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
const EXTENSION = /\.([A-Za-z0-9]{1,16})$/;

/** A file name as it is stored: no separators, control or direction-changing characters; no dots or blanks at its ends. */
export function fileName(given: string, path = 'file_name'): string {
  if (REFUSED.test(given))
    throw invalidField(path, 'must not contain path separators, control characters or text-direction characters', 'characters');
  const name = withoutEnds(normalized(given, 'NFC'), /[.\s]/);
  if (isDeviceName(name)) throw invalidField(path, 'is the name of a device on some systems', 'reserved');
  if (name === '') throw invalidField(path, 'must not be empty', 'too_short');
  if ([...name].length > MAX) throw invalidField(path, `must have at most ${MAX} characters`, 'too_long');
  return name;
}

export const isDeviceName = (name: string): boolean => DEVICE.test(name);

/** The extension without its dot, lower case; empty when there is none. */
export const extensionOf = (name: string): string => EXTENSION.exec(name)?.[1]?.toLowerCase() ?? '';

/** A new name keeps the old extension unless it brings one of its own. */
export const renamedFile = (name: string, old: string): string =>
  extensionOf(name) || !extensionOf(old) ? name : `${name}.${extensionOf(old)}`;
