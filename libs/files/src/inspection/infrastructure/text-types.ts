import { isTextBytes, textOfBytes, wideTextOf } from '@atrium/platform/tabular';
import { extensionOf } from './file-kinds';

const BY_EXTENSION: Readonly<Record<string, string>> = {
  bat: 'application/x-bat',
  cmd: 'application/x-bat',
  css: 'text/css',
  csv: 'text/csv',
  eml: 'message/rfc822',
  htm: 'text/html',
  html: 'text/html',
  ics: 'text/calendar',
  js: 'text/javascript',
  json: 'application/json',
  markdown: 'text/markdown',
  md: 'text/markdown',
  mjs: 'text/javascript',
  srt: 'application/x-subrip',
  tsv: 'text/tab-separated-values',
  vcf: 'text/vcard',
  vtt: 'text/vtt',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};

/** Tags that make a browser show a page, wherever they lead. */
const PAGE = /^<(!doctype\s+html|html|head|body|script|iframe|frameset|meta|link|style|title|base|object|embed|form)[\s>/]/i;
/** Tags that text of another format may begin with as well: markdown and notes often do. */
const FRAGMENT = /^<(!--|a|b|br|button|center|div|font|h[1-6]|i|img|input|p|span|svg|table|template|ul|video)[\s>/-]/i;
const MAY_HOLD_TAGS = new Set([
  'text/markdown',
  'text/csv',
  'text/tab-separated-values',
  'text/javascript',
  'text/css',
  'application/yaml',
  'message/rfc822',
]);

/** The head of a file as text, or nothing when it is not text. */
export function textOf(head: Uint8Array, whole: boolean): string | undefined {
  const wide = wideEncoding(head);
  if (wide) return decoded(head, wide, whole);
  if (!isTextBytes(head)) return undefined;
  const unmarked = head.includes(0) ? wideTextOf(head) : undefined;
  if (unmarked !== undefined) return textOfBytes(head, unmarked);
  return decoded(head, 'utf-8', whole) ?? new TextDecoder('latin1').decode(head);
}

/** UTF-16 announces itself by its byte order mark, which some audio frames begin with too: those are no readable text. */
export const wideEncoding = (head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined => {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : undefined;
};

function decoded(head: Uint8Array, encoding: string, whole: boolean): string | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(head, { stream: !whole });
    return encoding !== 'utf-8' && /[\0-\x06\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Whether a browser would show or run the bytes as a page, whatever follows its beginning. */
export const isPage = (head: Uint8Array, text: string | undefined): boolean =>
  PAGE.test(root(text ?? new TextDecoder('latin1').decode(head.subarray(0, 1024))));

/** The type of a text: by what leads it, then by the name among the kinds of text, else plain. */
export function textType(text: string, name: string, whole: boolean): string {
  const start = root(text);
  const named = BY_EXTENSION[extensionOf(name)];
  if (PAGE.test(start)) return 'text/html';
  if (/^<([\w.-]+:)?svg[\s>/]/i.test(start)) return 'image/svg+xml';
  if (/^<\?xml\s/i.test(text.trimStart())) return /^<([\w.-]+:)?html[\s>]/i.test(start) ? 'text/html' : 'application/xml';
  if (FRAGMENT.test(start) && !(named && MAY_HOLD_TAGS.has(named)) && !/\.(txt|log|xml)$/i.test(name)) return 'text/html';
  if (/^#!\s*\//.test(text)) return named ?? 'text/x-shellscript';
  if (named === 'application/json' || named === undefined)
    return isJson(text, whole, named !== undefined) ? 'application/json' : 'text/plain';
  return named;
}

/** The type that an empty file has by its name: text can be empty, every other format has at least a header. */
export const emptyType = (name: string): string =>
  /\.(txt|log|text)$/i.test(name) ? 'text/plain' : (BY_EXTENSION[extensionOf(name)] ?? 'application/octet-stream');

/** What follows the prolog of a markup file: byte order mark, declarations, comments and document type. */
function root(text: string): string {
  let rest = text.replace(/^\uFEFF/, '').trimStart();
  for (;;) {
    const prolog = /^(<\?[^>]*>|<!--[\s\S]*?-->|<!doctype\s(?!\s*html)[^>[]*(\[[\s\S]*?\]\s*)?>)\s*/i.exec(rest);
    if (!prolog) return rest;
    rest = rest.slice(prolog[0].length);
  }
}

function isJson(text: string, whole: boolean, named: boolean): boolean {
  if (!whole) return named && /^\s*[[{]/.test(text);
  try {
    const value: unknown = JSON.parse(text);
    return named || (typeof value === 'object' && value !== null);
  } catch {
    return false;
  }
}
