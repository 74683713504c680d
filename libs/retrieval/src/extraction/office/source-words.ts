import type { Package } from '@atrium/platform/tabular';
import { SignCounts } from '../text/sign-counts';
import { OpenFields } from './word/fields';

/** Larger parts are not counted: they would be kept as a whole. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Each attempt ends at the next angle bracket, and names have an end of their own. */
export const TAG = /<(\/?)(?:[\w-]{1,40}:)?([\w-]{1,60})(?![\w:-])([^<>]*)>([^<]*)/g;
const OFF = /\bval\s*=\s*["'](?:0|false|off)["']/;
const PLACEHOLDER = /\btype\s*=\s*["'](\w+)["']/;
const STYLE = /\bval\s*=\s*["']([^"']*)["']/;
const ART = /\bstring\s*=\s*["']([^"']*)["']/;
const NONE: ReadonlySet<string> = new Set();
const FURNITURE = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);
/** Readings beside a word, and words that were deleted or moved away. */
const LEFT_OUT = new Set(['rt', 'rPh', 'moveFrom', 'del']);
const FIELD_SIGN = /\bfldCharType\s*=\s*["'](\w+)["']/;
const ENTITY = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const LAST_SIGN = 0x10ffff;

/**
 * The words of parts of an office file, by its tags alone: what is between those of texts, run after run. It knows nothing of what
 * the parts mean but what is left out or said once on purpose: runs that are hidden, by themselves or by one of the styles named, readings, and what is said again for older programs.
 */
export async function sourceWords(
  pack: Package,
  parts: readonly string[],
  hidden: ReadonlySet<string> = NONE,
  counts = new SignCounts(),
): Promise<SignCounts | undefined> {
  for (const part of parts) {
    if (!pack.has(part)) continue;
    if (pack.size(part) > MOST_BYTES) return undefined;
    const scan = new WordScan(counts, hidden);
    for (const [, closes, name = '', attributes = '', text = ''] of decodedXml(await pack.bytes(part, MOST_BYTES)).matchAll(TAG)) {
      if (closes === '/') scan.close(name);
      else scan.open(name, attributes, text);
    }
    scan.end();
  }
  return counts;
}

export function decodedXml(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le');
  return bytes[0] === 0xfe && bytes[1] === 0xff ? new TextDecoder('utf-16be').decode(bytes) : bytes.toString('utf8');
}

export const plainText = (text: string): string =>
  text.replace(ENTITY, (_, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? '';
    const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
    return code <= LAST_SIGN ? String.fromCodePoint(code) : '';
  });

class WordScan {
  private text = '';
  private run: { text: string; isHidden: boolean } | undefined;
  private leftOut = 0;
  /** Of alternatives that are in each other: where the text of the first one begins, and whether it has some. */
  private readonly choices: { said: boolean }[] = [];
  private repeated = 0;
  private shape: { text: string; isFurniture: boolean } | undefined;

  private isHidden = false;
  private readonly fields = new OpenFields();
  /** Names in a chart, which each of its series says again. */
  private isCached = false;
  private readonly names = new Set<string>();

  constructor(
    private readonly counts: SignCounts,
    private readonly hidden: ReadonlySet<string>,
  ) {}

  open(name: string, attributes: string, text: string): void {
    const isEmpty = attributes.endsWith('/');
    if (this.repeated > 0) {
      if (name === 'Fallback' && !isEmpty) this.repeated++;
    } else if (LEFT_OUT.has(name) && !isEmpty) this.leftOut++;
    else if (name === 'AlternateContent') this.choices.push({ said: false });
    else if (name === 'Fallback' && !isEmpty && this.choices.at(-1)?.said === true) this.repeated = 1;
    else if (name === 'r' && !isEmpty) this.run = { text: '', isHidden: false };
    else if (name === 'vanish' && this.run && !OFF.test(attributes)) this.run.isHidden = true;
    else if (name === 'rStyle' && this.run) this.run.isHidden ||= this.hides(attributes);
    else if (name === 'pStyle') this.isHidden = this.hides(attributes);
    else if (name === 'sp' && !isEmpty) this.shape = { text: '', isFurniture: false };
    else if (name === 'ph' && this.shape) this.shape.isFurniture = FURNITURE.has(PLACEHOLDER.exec(attributes)?.[1] ?? '');
    else if (name === 'fldChar') this.fields.see(FIELD_SIGN.exec(attributes)?.[1]);
    else if (name === 't' && !isEmpty && this.leftOut === 0 && !this.fields.isForAnother) this.say(plainText(text));
    else if (name === 'textpath') this.say(` ${plainText(ART.exec(attributes)?.[1] ?? '')}\n`);
    else if (name === 'strCache') this.isCached = !isEmpty;
    else if (name === 'v' && this.isCached && !isEmpty) this.sayName(plainText(text));
    else if (name === 'tab' || name === 'br' || name === 'cr') this.say(' ');
  }

  close(name: string): void {
    if (this.repeated > 0) {
      if (name === 'Fallback') this.repeated--;
    } else if (LEFT_OUT.has(name)) this.leftOut--;
    else if (name === 'AlternateContent') this.choices.pop();
    else if (name === 'strCache') this.isCached = false;
    else if (name === 'r') this.endRun();
    else if (name === 'p') this.endParagraph();
    else if (name === 'sp') this.endShape();
  }

  end(): void {
    this.counts.add(this.text);
    this.text = '';
  }

  private sayName(name: string): void {
    if (this.names.has(name)) return;
    this.names.add(name);
    this.say(`${name}\n`);
  }

  private say(text: string): void {
    if (text.trim() !== '') for (const choice of this.choices) choice.said = true;
    if (this.run) this.run.text += text;
    else this.keep(text);
  }

  private keep(text: string): void {
    if (this.shape) this.shape.text += text;
    else this.text += text;
    if (text === '\n' && this.text.length > MOST_KEPT) this.end();
  }

  private endRun(): void {
    const { run } = this;
    this.run = undefined;
    if (run && !run.isHidden && !this.isHidden) this.keep(run.text);
  }

  private endParagraph(): void {
    this.isHidden = false;
    this.fields.endParagraph();
    this.keep('\n');
  }

  private hides(attributes: string): boolean {
    return this.hidden.size > 0 && this.hidden.has(STYLE.exec(attributes)?.[1] ?? '');
  }

  private endShape(): void {
    const { shape } = this;
    this.shape = undefined;
    if (shape && !shape.isFurniture) this.keep(shape.text);
  }
}

/** Characters that are counted at once. */
const MOST_KEPT = 64 * 1024;
