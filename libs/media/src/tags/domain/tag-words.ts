import { invalidField, type FieldFault } from '@atrium/platform/kernel';

/** Values by the name of their group, as people write and read tags. */
export type TagMap = Readonly<Record<string, readonly string[]>>;

export const MOST_GROUP_NAME = 80;
export const MOST_TAG_VALUE = 120;
/** Tags that one request may name, and that one file may have. */
export const MOST_TAGS = 500;
const MOST_GROUPS = 200;

const UNSTORABLE = /\p{Cc}|\p{Cs}/u;

/** A value or a name as it is kept: trimmed, with single spaces inside. */
export const tidiedText = (text: string): string => text.trim().replace(/\s+/gu, ' ');

/** Why a text can be no name of a group; null when it can. A colon would part it from its values in `Group:Value`. */
export function groupNameFault(name: string): Omit<FieldFault, 'path'> | null {
  const fault = wordFault(name, MOST_GROUP_NAME);
  if (fault) return fault;
  return name.includes(':') ? { code: 'characters', message: 'must not contain a colon' } : null;
}

export const tagValueFault = (value: string): Omit<FieldFault, 'path'> | null => wordFault(value, MOST_TAG_VALUE);

function wordFault(text: string, most: number): Omit<FieldFault, 'path'> | null {
  if (UNSTORABLE.test(text)) return { code: 'characters', message: 'must not contain control characters or lone surrogates' };
  const length = [...tidiedText(text)].length;
  if (length === 0) return { code: 'too_short', message: 'must not be empty' };
  return length > most ? { code: 'too_long', message: `must have at most ${most} characters` } : null;
}

/** Tags as a client sent them, tidied, values once a group; `path` is where they stand in the request. */
export function readTagMap(sent: Readonly<Record<string, unknown>>, path: string): TagMap {
  const read = new Map<string, readonly string[]>();
  if (Object.keys(sent).length > MOST_GROUPS) throw invalidField(path, `must name at most ${MOST_GROUPS} groups`, 'too_many');
  for (const [group, values] of Object.entries(sent)) {
    const where = `${path}.${group}`.slice(0, MOST_TAG_VALUE);
    refuse(where, groupNameFault(group));
    if (!Array.isArray(values) || !values.every((value): value is string => typeof value === 'string'))
      throw invalidField(where, 'must be a list of values', 'array');
    for (const [at, value] of values.entries()) refuse(`${where}[${at}]`, tagValueFault(value));
    const name = tidiedText(group);
    read.set(name, [...new Set([...(read.get(name) ?? []), ...values.map(tidiedText)])]);
  }
  const named = [...read.values()].reduce((sum, values) => sum + values.length, 0);
  if (named > MOST_TAGS) throw invalidField(path, `must name at most ${MOST_TAGS} values`, 'too_many');
  return Object.fromEntries(read);
}

/** Tags written as `Group:Value`, as filters and links name them. */
export function readTagName(text: string, path: string): { readonly group: string; readonly value: string } {
  const at = text.indexOf(':');
  if (at < 0) throw invalidField(path, 'must have the form Group:Value', 'pattern');
  const [group, value] = [text.slice(0, at), text.slice(at + 1)];
  refuse(path, groupNameFault(group) ?? tagValueFault(value));
  return { group: tidiedText(group), value: tidiedText(value) };
}

function refuse(path: string, fault: Omit<FieldFault, 'path'> | null): void {
  if (fault) throw invalidField(path, fault.message, fault.code);
}
