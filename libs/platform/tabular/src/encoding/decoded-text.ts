import { getDecoder } from 'iconv-lite';

/** What the platform decodes as browsers do; single bytes and pairs are decoded by tables that are the same in every version of it. */
const OF_THE_PLATFORM = new Set(['utf-8', 'utf-16le', 'utf-16be', 'iso-2022-jp']);
const RENAMED: Readonly<Record<string, string>> = { 'x-mac-cyrillic': 'maccyrillic', 'iso-8859-8-i': 'iso-8859-8', gbk: 'gb18030' };

interface Decoder {
  write(bytes: Buffer): string;
  end(): string | undefined;
}

/** The sign with which DOS ended a file. */
const END_OF_FILE = '\x1a';

/**
 * Text of bytes as they come, without the mark at its beginning and the sign of its end; bytes that stand for nothing become U+FFFD.
 */
export async function* decodedText(source: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  let ends = 0;
  for await (const piece of piecesOf(source, encoding)) {
    const text = withoutEnd(piece);
    if (text !== '' && ends > 0) {
      yield END_OF_FILE.repeat(ends);
      ends = 0;
    }
    ends += piece.length - text.length;
    if (text !== '') yield text;
  }
}

async function* piecesOf(source: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  const decoder = decoderOf(encoding);
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

/** A text that is in memory. */
export function textOfBytes(bytes: Uint8Array, encoding: string): string {
  const decoder = decoderOf(encoding);
  const text = decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) + (decoder.end() ?? '');
  return withoutEnd(text.startsWith('\uFEFF') ? text.slice(1) : text);
}

function withoutEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === END_OF_FILE) end--;
  return end === text.length ? text : text.slice(0, end);
}

function decoderOf(encoding: string): Decoder {
  if (!OF_THE_PLATFORM.has(encoding)) return getDecoder(RENAMED[encoding] ?? encoding, { stripBOM: false });
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
}
