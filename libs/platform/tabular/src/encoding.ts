import { encodingExists, getDecoder } from 'iconv-lite';
import { invalidField } from '@atrium/platform/kernel';

/** Bytes at the beginning that decide about the encoding. */
export const ENCODING_SAMPLE_BYTES = 256 * 1024;
/** What Windows programs write where nothing says otherwise. */
const USUAL_SINGLE_BYTE = 'windows-1252';
/** How sure the detector must be of another encoding, of 100. */
const SURE_ENOUGH = 40;
/** Bytes that the detector looks at, from about the first one on that is not ASCII: it takes about a millisecond for each KiB. */
const DETECTED_BYTES = 32 * 1024;
const BEFORE_BYTES = 1024;
const ENOUGH_ZEROS = 0.2;
const ASCII = 0x80;
const MARKS: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-32le', [0xff, 0xfe, 0x00, 0x00]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** The encoding of a text, by its mark, else by what its bytes can be. `whole`: the sample is all of it. */
export async function sniffEncoding(sample: Uint8Array, whole: boolean): Promise<string> {
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => sample[at] === byte));
  if (marked) return marked[0];
  const wide = wideEncoding(sample);
  if (wide) return wide;
  if (isUtf8(sample, whole)) return 'utf-8';
  const { analyse } = await import('chardet');
  const first = Math.max(0, sample.findIndex((byte) => byte >= ASCII) - BEFORE_BYTES);
  const [best] = analyse(sample.subarray(first, first + DETECTED_BYTES));
  const name = best && best.confidence >= SURE_ENOUGH ? best.name.toLowerCase() : USUAL_SINGLE_BYTE;
  // The two differ in the dashes, quotes and the euro sign, which only the one of Windows has.
  return name === 'iso-8859-1' || name === 'ascii' || !encodingExists(name) ? USUAL_SINGLE_BYTE : name;
}

/** Text without a mark whose every other byte is mostly zero. */
function wideEncoding(sample: Uint8Array): string | undefined {
  const zeros = [0, 0];
  const length = Math.min(sample.length, 4096) & ~1;
  for (let at = 0; at < length; at++) if (sample[at] === 0) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros.map((count) => count / Math.max(1, length / 2));
  if (odd > ENOUGH_ZEROS && even < odd / 4) return 'utf-16le';
  return even > ENOUGH_ZEROS && odd < even / 4 ? 'utf-16be' : undefined;
}

function isUtf8(sample: Uint8Array, whole: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: !whole });
    return true;
  } catch {
    return false;
  }
}

/** An encoding somebody named, in the spelling of the decoder. */
export function knownEncoding(name: string): string {
  if (!encodingExists(name)) throw invalidField('encoding', `There is no encoding ${name}. Leave it out to have it detected.`);
  return name.toLowerCase();
}

/** An encoding a file declares, or another one where nobody knows it. */
export const knownEncodingOr = (name: string, other: string): string => (encodingExists(name) ? name.toLowerCase() : other);

/** Text of bytes as they come, without the mark at its beginning; bytes that stand for nothing become U+FFFD. */
export async function* decodedText(source: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  const decoder = /^utf-?8$/.test(encoding) ? utf8Decoder() : getDecoder(encoding);
  let first = true;
  const cleaned = (text: string): string => {
    if (!first || text === '') return text;
    first = false;
    return text.startsWith('\uFEFF') ? text.slice(1) : text;
  };
  for await (const chunk of source) {
    const text = cleaned(decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)));
    if (text !== '') yield text;
  }
  const rest = cleaned(decoder.end() ?? '');
  if (rest !== '') yield rest;
}

function utf8Decoder(): { write(bytes: Uint8Array): string; end(): string } {
  const decoder = new TextDecoder('utf-8');
  return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
}
