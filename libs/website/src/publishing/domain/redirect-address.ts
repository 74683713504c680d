import { invalidField, normalized } from '@atrium/platform/kernel';
import { ABSOLUTE, LONGEST_FROM } from './redirect';

const PREFIX_END = '/*';
const SPLAT = ':splat';

/** A path in the form in which it is looked up: NFC, decoded, without a slash at its end. Throws where it is no path of a site. */
export function readFromPath(text: string): string {
  const isPrefix = text.endsWith(PREFIX_END);
  const path = readSitePath(isPrefix ? text.slice(0, -PREFIX_END.length) : text, 'red_from');
  if (path.includes('*')) throw invalidField('red_from', 'may contain * only as /* at its end', 'pattern');
  return isPrefix ? `${path === '/' ? '' : path}${PREFIX_END}` : path;
}

/** A path of the site with whatever query it has, or an absolute URL. */
export function readTarget(text: string, field = 'red_to'): string {
  if (text.length > LONGEST_FROM) throw invalidField(field, `must have at most ${LONGEST_FROM} characters`, 'too_long');
  if (ABSOLUTE.test(text)) {
    if (!URL.canParse(text.replaceAll(SPLAT, 'x'))) throw invalidField(field, 'must be a valid URL', 'uri');
    return text;
  }
  const end = text.search(/[?#]/);
  return `${readSitePath(end < 0 ? text : text.slice(0, end), field)}${end < 0 ? '' : text.slice(end)}`;
}

/** A path of the site: it starts with one slash, ends in none, and has neither `..` nor control characters. Throws `validation_failed` otherwise. */
export function readSitePath(text: string, field: string): string {
  let path: string;
  try {
    path = normalized(decodeURIComponent(text), 'NFC');
  } catch {
    throw invalidField(field, 'must not contain % except in percent-encoded characters', 'pattern');
  }
  if (path === '') path = '/';
  if (!path.startsWith('/') || path.startsWith('//') || path.includes('\\'))
    throw invalidField(field, 'must be a path that starts with a single /', 'pattern');
  if (/[\u0000-\u001f\u007f?#]/.test(path)) throw invalidField(field, 'must not contain control characters, ? or #', 'pattern');
  const segments = path.slice(1).split('/');
  if (segments.some((segment) => segment === '.' || segment === '..'))
    throw invalidField(field, 'must not contain the segments . and ..', 'pattern');
  if (segments.slice(0, -1).includes('')) throw invalidField(field, 'must not contain empty segments', 'pattern');
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
