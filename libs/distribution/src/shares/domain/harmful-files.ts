import { normalized, withoutEnd } from '@atrium/platform/kernel';
/** What a file does to a person who opens it: a program or script runs, a document or drawing runs what it carries. */
export const HARMFUL_KINDS = ['program', 'script', 'macro'] as const;
export type HarmfulKind = (typeof HARMFUL_KINDS)[number];

/** So many from each end are looked at. */
export const LOOKED_AT_BYTES = 2 * 1024 * 1024;

/** The bytes that are looked at: from the start and from the end; the end is empty when the start is all there is. */
export interface LookedAtBytes {
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly size: number;
}

const words = (text: string): string[] => text.split(' ');

const PROGRAMS = words(
  'apk app appimage appref-ms appx appxbundle cpl crx deb dll dmg drv exe gadget ipa iso jar jnlp lnk mpkg msc msi msix msp mst ocx pif pkg reg rpm run scr sys vhd vhdx xll xpi',
);
const SCRIPTS = words(
  'action applescript asp aspx bash bat cgi chm cjs cmd csh command desktop fish hlp hta htaccess inf js jse jsp ksh library-ms lua mjs php phar php3 php4 php5 phtml pl pm ps1 ps1xml ps2 ps2xml psc1 psc2 psd1 psm1 py pyc pyo pyw pyz rb scf scpt scptd sct search-ms settingcontent-ms sh shb shs tcl terminal url vb vbe vbs website webloc workflow ws wsc wsf wsh zsh',
);
const MACROS = words(
  'accda accdb accde ade adp docm dotm mam mda mdb mde potm ppa ppam ppsm pptm sldm slk wll xla xlam xlm xlsb xlsm xltm',
);

const BY_EXTENSION: ReadonlyMap<string, HarmfulKind> = new Map([
  ...PROGRAMS.map((name) => [name, 'program'] as const),
  ...SCRIPTS.map((name) => [name, 'script'] as const),
  ...MACROS.map((name) => [name, 'macro'] as const),
]);

/** Extensions that systems show, print or play, whatever comes before them. */
const SHOWN =
  /^(?:jpe?g|png|gif|webp|avif|heic|heif|tiff?|bmp|psd|dng|cr[23]|nef|arw|raf|orf|rw2|mp[34]|m4[av]|mov|webm|mkv|avi|mpe?g|wav|flac|ogg|aac|aiff?|pdf|ttf|otf|woff2?)$/;
const INVISIBLE =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]/g;

/** The extensions of a name as a system reads them: without what nobody sees, without dots and blanks at the end, in plain letters. */
function extensionsOf(name: string): string[] {
  const seen = withoutEnd(normalized(name, 'NFKC').replace(INVISIBLE, ''), /[.\s]/).toLowerCase();
  return seen
    .split(/[.:]/)
    .slice(1)
    .map((part) => part.trim());
}

/** What a file is by its name alone. Of a name with several extensions the last counts; one before it counts too unless the last is that of a picture, film, sound, font or PDF. */
export function harmfulName(name: string): HarmfulKind | null {
  const extensions = extensionsOf(name);
  const last = extensions.at(-1);
  if (last === undefined) return null;
  const own = BY_EXTENSION.get(last);
  if (own || SHOWN.test(last)) return own ?? null;
  return extensions.map((extension) => BY_EXTENSION.get(extension)).find((kind) => kind !== undefined) ?? null;
}

/** Types in which there is nothing to look for: pictures but drawings, film, sound, fonts, PDF. */
export const canHarm = (type: string): boolean => !/^(?:image\/(?!svg)|video\/|audio\/|font\/|application\/pdf$)/.test(type);

const ZIP = Buffer.from('PK\u0003\u0004', 'latin1');
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const VBA_STORAGE = ['_VBA_PROJECT', 'VBA_PROJECT_CUR', 'Macros'].map((name) => Buffer.from(name, 'utf16le'));
/** Names of entries, which a ZIP holds as plain text: Visual Basic and sheets of macros in Office, Basic and scripts in OpenDocument. */
const MACRO_PARTS =
  /vbaProject\.bin|vbaData\.xml|\/macrosheets\/|\/activeX\/activeX|PK[^]{44}(?:Basic|Scripts)\/[^\0]|application\/vnd\.ms-[a-z]+\.[a-zA-Z.]*macroEnabled/i;
const SCRIPT_START =
  /^\s*(?:#!|<\?php|<%@|@echo\b|::\s|rem\s|#requires\b|set-executionpolicy\b|windows registry editor|\[desktop entry\]|\[internetshortcut\]|\[shellclassinfo\])/i;
const MARKUP = /^\s*<(?:!doctype|\?xml|!--|html|head|body|svg|[\w.-]+:svg|script|meta|a|div|p|table|h[1-6]|iframe|form)[\s>/!-]/i;
const ACTIVE_MARKUP =
  /<(?:[\w.-]+:)?(?:script|iframe|object|embed|applet|handler|listener)[\s>/]|(?:href|src|action|to|values|from)\s*=\s*(?:["']\s*)?(?:javascript|vbscript|data:text\/html)|<!entity\b|<\?xml-stylesheet/i;
/** What is active within a tag alone, by how the tag begins. */
const ACTIVE_IN_TAGS: readonly (readonly [tag: string, inside: RegExp])[] = [
  ['<', /[\s"'/]on[a-z]{3,}\s*=/g],
  ['<meta', /http-equiv\s*=\s*["']?refresh/g],
];
/** What browsers run scripts in; other XML is data. */
const PAGE_OR_DRAWING = /<(?:[\w.-]+:)?(?:html|svg|head|body|script)[\s>/]|<!doctype\s+html|www\.w3\.org\/(?:1999\/xhtml|2000\/svg)/i;
const OFFICE_XML_MACROS = /macrosPresent\s*=\s*["']yes/i;

/** What a file is by its bytes, whatever it is called; markup that is too large to be looked through counts as a script. */
export function harmfulBytes({ head, tail, size }: LookedAtBytes): HarmfulKind | null {
  if (isProgram(head)) return 'program';
  if (head.subarray(0, ZIP.length).equals(ZIP))
    return [head, tail].some((part) => MACRO_PARTS.test(part.toString('latin1'))) ? 'macro' : null;
  if (head.subarray(0, COMPOUND.length).equals(COMPOUND))
    return VBA_STORAGE.some((name) => head.includes(name) || tail.includes(name)) ? 'macro' : null;
  const text = textOf(head);
  if (text === null) return null;
  if (SCRIPT_START.test(text)) return 'script';
  if (!MARKUP.test(text)) return null;
  if (OFFICE_XML_MACROS.test(text) || isInTag(text.toLowerCase(), '<w:bindata', /editdata\.mso/g)) return 'macro';
  if (text.trimStart().startsWith('<?xml') && !PAGE_OR_DRAWING.test(text)) return null;
  return head.length < size || isActive(unescaped(text).toLowerCase()) ? 'script' : null;
}

const isActive = (markup: string): boolean =>
  ACTIVE_MARKUP.test(markup) || ACTIVE_IN_TAGS.some(([tag, inside]) => isInTag(markup, tag, inside));

/** Whether a pattern matches behind such a beginning of a tag, before its `>`. What is between two matches is read once. */
function isInTag(markup: string, tag: string, inside: RegExp): boolean {
  let [from, isOpen] = [0, false];
  for (const { index } of markup.matchAll(inside)) {
    const between = markup.slice(from, index);
    const [opened, closed] = [between.lastIndexOf(tag), between.lastIndexOf('>')];
    if (opened >= 0 || closed >= 0) isOpen = opened > closed;
    if (isOpen) return true;
    from = index;
  }
  return false;
}

const isProgram = (head: Buffer): boolean =>
  (head.subarray(0, 2).toString('latin1') === 'MZ' && head.length >= 64 && head.subarray(0, 64).includes(0)) ||
  ['7f454c46', 'feedface', 'feedfacf', 'cefaedfe', 'cffaedfe', 'cafebabe', '4c0000000114020000'].some((mark) =>
    head.subarray(0, 9).toString('hex').startsWith(mark),
  );

/** The start as text; null when it is none. */
function textOf(head: Buffer): string | null {
  if (head[0] === 0xff && head[1] === 0xfe) return head.toString('utf16le').slice(1);
  if (head[0] === 0xfe && head[1] === 0xff)
    return Buffer.from(head.subarray(0, head.length - (head.length % 2)))
      .swap16()
      .toString('utf16le')
      .slice(1);
  return head.subarray(0, 1024).includes(0) ? null : head.toString('utf8').replace(/^\ufeff/, '');
}

/** Letters that markup may write as numbers. */
const unescaped = (text: string): string =>
  text
    .replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi, (whole, hex: string | undefined, decimal: string | undefined) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x7f ? String.fromCharCode(code) : whole;
    })
    .replace(/&(?:tab|newline|colon);/gi, (name) => (name.toLowerCase() === '&colon;' ? ':' : ''));

/** Whether a link takes what is harmful: it names the kind, or the very extension by which a file of that kind goes. */
export function isWelcome(
  kind: HarmfulKind,
  name: string,
  { allowed_kinds, allowed_formats }: { readonly allowed_kinds: readonly string[]; readonly allowed_formats: readonly string[] },
): boolean {
  if (allowed_kinds.includes(kind)) return true;
  const last = extensionsOf(name).at(-1);
  return last !== undefined && BY_EXTENSION.get(last) === kind && allowed_formats.includes(last);
}

const SENTENCES: Readonly<Record<HarmfulKind, string>> = {
  program: 'is a program; this link does not accept programs, because they could harm the people who open them',
  script: 'is or contains a script; this link does not accept scripts, because they could harm the people who open them',
  macro:
    'is a document with macros; this link does not accept these, because they could harm the people who open them. Save it without macros and send it again',
};

export const whyRefused = (kind: HarmfulKind): string => SENTENCES[kind];
