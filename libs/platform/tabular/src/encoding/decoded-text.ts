import { getDecoder } from 'iconv-lite';

/** What the platform decodes as browsers do; single bytes and pairs are decoded by tables that are the same in every version of it. */
const OF_THE_PLATFORM = new Set(['utf-8', 'utf-16le', 'utf-16be', 'iso-2022-jp']);
const RENAMED: Readonly<Record<string, string>> = { 'x-mac-cyrillic': 'maccyrillic', 'iso-8859-8-i': 'iso-8859-8', gbk: 'gb18030' };

interface Decoder {
  write(bytes: Buffer): string;
  end(): string | undefined;
}

/** Text of bytes as they come, without the mark at its beginning; bytes that stand for nothing become U+FFFD. */
export async function* decodedText(source: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
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
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function decoderOf(encoding: string): Decoder {
  if (!OF_THE_PLATFORM.has(encoding)) return getDecoder(RENAMED[encoding] ?? encoding, { stripBOM: false });
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
}
