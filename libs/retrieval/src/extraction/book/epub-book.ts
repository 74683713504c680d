import { posix } from 'node:path';
import { damagedFile, readXml, type Package } from '@atrium/platform/tabular';

export interface Book {
  readonly title: string;
  readonly author: string;
  readonly language: string;
  /** Names of the parts that are read one after the other. */
  readonly chapters: readonly string[];
}

const LONGEST = 1_000;
const PACKAGE_BYTES = 20 * 1024 * 1024;
const MOST_CHAPTERS = 20_000;
/** Books of the first version declare their type, which names nothing that is needed. */
const DOCTYPE = /<!DOCTYPE\s[^<>[\]]*>/i;

/** What the package file of a book says of it. */
export async function readBook(pack: Package, file: string, what: string): Promise<Book> {
  const facts = { title: '', creator: '', language: '' };
  const parts = new Map<string, string>();
  const order: string[] = [];
  let text = '';
  const source = (await pack.bytes(file, PACKAGE_BYTES)).toString('utf8').replace(DOCTYPE, '');
  await readXml(
    pieces(source),
    {
      open(element) {
        text = '';
        const id = element.attribute('id');
        const address = element.attribute('href');
        if (element.name === 'item' && id !== undefined && address !== undefined) parts.set(id, partOf(file, address));
        if (element.name === 'itemref' && order.length < MOST_CHAPTERS) order.push(element.attribute('idref') ?? '');
      },
      text: (piece) => void (text += piece.slice(0, LONGEST)),
      close(name) {
        if ((name === 'title' || name === 'creator' || name === 'language') && facts[name] === '')
          facts[name] = text.trim().slice(0, LONGEST);
        text = '';
      },
    },
    what,
  );
  const chapters = order.flatMap((id) => parts.get(id) ?? []);
  if (chapters.length === 0) throw damagedFile(what);
  return { title: facts.title, author: facts.creator, language: facts.language, chapters };
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** The part that an address of another part leads to. */
function partOf(from: string, address: string): string {
  const path = address.split('#')[0] ?? '';
  let plain = path;
  try {
    plain = decodeURIComponent(path);
  } catch {
    // Taken as it is written.
  }
  return posix.normalize(posix.join(posix.dirname(from), plain));
}
