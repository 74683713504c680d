import { normalized, withoutEnd, withoutEnds } from '@atrium/platform/kernel';
/** Extensions of what is published most, as its bytes say; everything else keeps the one of its name. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
  'image/tiff': 'tif',
  'image/svg+xml': 'svg',
  'image/heic': 'heic',
  'image/heif': 'heif',
  'image/bmp': 'bmp',
  'image/x-icon': 'ico',
  'image/vnd.adobe.photoshop': 'psd',
  'image/jxl': 'jxl',
  'image/jp2': 'jp2',
  'application/pdf': 'pdf',
  'application/json': 'json',
  'application/zip': 'zip',
  'application/xml': 'xml',
  'application/rtf': 'rtf',
  'application/epub+zip': 'epub',
  'application/postscript': 'eps',
  'application/msword': 'doc',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'video/x-matroska': 'mkv',
  'video/mpeg': 'mpg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
  'audio/wav': 'wav',
  'audio/flac': 'flac',
  'audio/ogg': 'ogg',
  'font/woff': 'woff',
  'font/woff2': 'woff2',
  'font/ttf': 'ttf',
  'font/otf': 'otf',
  'font/collection': 'ttc',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/css': 'css',
  'text/xml': 'xml',
  'text/vtt': 'vtt',
};

const LONGEST = 100;
const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ı: 'i' };

/**
 * The last part of a public address: lower-case ASCII of the file's name, and the extension of what the bytes are. Nothing of
 * it needs to be encoded, so nothing of a name gets into a header or another path.
 */
export function publicName(file_name: string, type: string): string {
  const dot = file_name.lastIndexOf('.');
  const [base, own] = dot > 0 ? [file_name.slice(0, dot), file_name.slice(dot + 1)] : [file_name, ''];
  const extension = EXTENSIONS[type] ?? slug(own).replaceAll('-', '').slice(0, 16);
  const stem = withoutEnd(slug(base).slice(0, LONGEST), /-/) || 'file';
  return extension === '' ? stem : `${stem}.${extension}`;
}

const slug = (text: string): string => {
  const plain = text.toLowerCase().replace(/[ßæœøđðþłı]/g, (letter) => LETTERS[letter] ?? '');
  const words = normalized(plain, 'NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-');
  return withoutEnds(words, /-/);
};
