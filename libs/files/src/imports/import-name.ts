import { normalized, withoutEnds } from '@atrium/platform/kernel';
import { extensionOf, fileName, isDeviceName } from '../core/domain/file-name';

const FALLBACK = 'download';
const REFUSED = /[/\\\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
const LONGEST = 200;
/** Extensions of what is imported most, for addresses that name none. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
  'image/tiff': 'tif',
  'image/svg+xml': 'svg',
  'image/heic': 'heic',
  'application/pdf': 'pdf',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'audio/mpeg': 'mp3',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'text/csv': 'csv',
  'application/json': 'json',
  'application/zip': 'zip',
};

/** What an answer says about the name of its body. */
export interface NamedAnswer {
  readonly url: string;
  readonly type: string | null;
  readonly disposition: string | undefined;
}

/** The name of bytes that came from an address: as the answer names them, else the end of the address. */
export function importedName({ url, type, disposition }: NamedAnswer): string {
  const name = safe(namedBy(disposition) ?? lastPart(url));
  const extension = type ? EXTENSIONS[type] : undefined;
  return fileName(extensionOf(name) !== '' || !extension ? name : `${name}.${extension}`);
}

function safe(name: string): string {
  const plain = [...withoutEnds(normalized(name, 'NFC').replace(REFUSED, '_'), /[.\s]/)];
  if (plain.length === 0) return FALLBACK;
  if (isDeviceName(plain.join(''))) plain.unshift('_');
  if (plain.length <= LONGEST) return plain.join('');
  const extension = extensionOf(name);
  return `${plain.slice(0, LONGEST).join('')}${extension ? `.${extension}` : ''}`;
}

/** RFC 6266: the extended form wins. */
function namedBy(disposition: string | undefined): string | null {
  if (!disposition) return null;
  const extended = /filename\*\s*=\s*UTF-8''([^;\s]+)/i.exec(disposition)?.[1];
  if (extended !== undefined) return decoded(extended);
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition);
  return plain ? (plain[1]?.replace(/\\(.)/g, '$1') ?? plain[2] ?? null) : null;
}

const lastPart = (url: string): string => decoded(new URL(url).pathname.split('/').findLast((part) => part !== '') ?? '');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
