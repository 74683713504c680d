import { createReadStream } from 'node:fs';
import { decodedText, knownEncodingOr, sniffEncoding } from '@atrium/platform/tabular';

const HEAD = 4_096;
const CHARSET = /<meta[^>]+charset\s*=\s*["']?\s*([\w-]{2,40})/i;

/** The HTML of a file: in the encoding of its mark, in the one it declares, or in the one its bytes look like. */
export async function decodedPage(path: string, most: number): Promise<{ html: string; truncated: boolean }> {
  const head: Buffer[] = [];
  for await (const chunk of createReadStream(path, { end: 64 * 1024 - 1 })) head.push(chunk as Buffer);
  const sample = Buffer.concat(head);
  const sniffed = await sniffEncoding(sample, sample.length < 64 * 1024);
  const declared = CHARSET.exec(sample.toString('latin1', 0, HEAD))?.[1];
  const encoding = sniffed.startsWith('utf') || declared === undefined ? sniffed : knownEncodingOr(declared, sniffed);
  let html = '';
  for await (const piece of decodedText(createReadStream(path), encoding)) {
    html += piece;
    if (html.length > most) return { html: html.slice(0, most), truncated: true };
  }
  return { html, truncated: false };
}
