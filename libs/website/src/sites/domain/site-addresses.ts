import { invalidField } from '@atrium/platform/kernel';

const PLACEHOLDERS = /\{(?:path|token|locale)\}/g;

/** The address of a site without a slash at its end, to which paths are appended. */
export function baseAddress(field: string, text: string): string {
  const url = httpAddress(field, text);
  if (url.search !== '' || url.hash !== '') throw invalidField(field, 'must not have a query or a fragment', 'url');
  return url.href.endsWith('/') ? url.href.slice(0, -1) : url.href;
}

/** The address of a preview, whose placeholders are filled in for each link. */
export function previewAddress(field: string, text: string): string {
  const filled = text.replace(PLACEHOLDERS, 'x');
  if (/[{}]/.test(filled)) throw invalidField(field, 'can contain the placeholders {path}, {token} and {locale} only', 'url');
  const { origin } = httpAddress(field, filled);
  // A placeholder in the host would send tokens to hosts that a path or a locale names.
  if (!text.toLowerCase().startsWith(origin.toLowerCase())) throw invalidField(field, 'must name its host without placeholders', 'url');
  return text;
}

function httpAddress(field: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw invalidField(field, 'must be an address that begins with https:// or http://', 'url');
  if (url.username !== '' || url.password !== '') throw invalidField(field, 'must not contain credentials', 'url');
  return url;
}
