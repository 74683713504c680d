import { posix } from 'node:path';
import { readXml, type Package } from '@atrium/platform/tabular';

const ENCRYPTION = 'META-INF/encryption.xml';
/** Fonts are made unusable outside of their book, which hides no text. */
const OF_FONTS = /^http:\/\/(?:www\.idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC)$/;

/** Whether chapters of the book are encrypted for a reading program. */
export async function isProtected(pack: Package, chapters: readonly string[], what: string): Promise<boolean> {
  if (!pack.has(ENCRYPTION)) return false;
  const texts = new Set(chapters);
  let method = '';
  let found = false;
  await readXml(
    await pack.stream(ENCRYPTION),
    {
      open(element) {
        if (element.name === 'EncryptedData') method = '';
        if (element.name === 'EncryptionMethod') method ||= element.attribute('Algorithm') ?? '';
        if (element.name === 'CipherReference' && !OF_FONTS.test(method))
          found ||= texts.has(posix.normalize(decoded(element.attribute('URI') ?? '')));
      },
    },
    what,
  );
  return found;
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
