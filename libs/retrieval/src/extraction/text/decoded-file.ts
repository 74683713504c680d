import { createReadStream } from 'node:fs';
import { decodedText, encodingOf, labelWithin } from '@atrium/platform/tabular';

const PIECE = 256 * 1024;
const HEAD = 4_096;

export interface FileToDecode {
  /** Characters that are read. */
  readonly most: number;
  /** Whether files of this kind name their encoding at their beginning, as markup does. */
  readonly labelled: boolean;
}

export interface DecodedFile {
  readonly text: string;
  readonly truncated: boolean;
  /** The encoding, where nothing but its likelihood says that it is the one. */
  readonly guessed: string | undefined;
}

/** The text of a file up to a length: all of its bytes say what it is encoded in. */
export async function decodedFile(path: string, { most, labelled }: FileToDecode): Promise<DecodedFile> {
  const { encoding, by } = await encodingOf(piecesOf(path), labelled ? await labelOf(path) : undefined);
  const guessed = by === 'guess' ? encoding : undefined;
  let text = '';
  for await (const piece of decodedText(piecesOf(path), encoding)) {
    text += piece;
    if (text.length > most) return { text: text.slice(0, most), truncated: true, guessed };
  }
  return { text, truncated: false, guessed };
}

const piecesOf = (path: string): AsyncIterable<Uint8Array> => createReadStream(path, { highWaterMark: PIECE });

async function labelOf(path: string): Promise<string | undefined> {
  const head: Buffer[] = [];
  for await (const chunk of createReadStream(path, { end: HEAD - 1 })) head.push(chunk as Buffer);
  return labelWithin(Buffer.concat(head));
}
