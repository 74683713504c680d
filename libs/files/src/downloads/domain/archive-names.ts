import { folded, normalized, withoutEnds } from '@atrium/platform/kernel';
import { isDeviceName } from '../../core/domain/file-name';

/** Where an archive says what it could not hold. */
export const SKIPPED_NOTE = '_skipped.txt';

const MAX_BYTES = 240;
// Separators, what Windows refuses, control and direction-changing characters.
const REFUSED = /[/\\:*?"<>|\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const BROKEN_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const EXTENSION = /\.[^.]{1,16}$/u;

/** A name that every system can unpack: no separators, devices or endings that one of them refuses. */
export function unpackableName(name: string): string {
  const plain = withoutEnds(normalized(name, 'NFC').replace(BROKEN_SURROGATE, '_').replace(REFUSED, '_'), /[.\s]/);
  const safe = isDeviceName(plain) ? `_${plain}` : plain;
  return shortened(safe === '' ? 'file' : safe);
}

const split = (name: string): readonly [stem: string, extension: string] => {
  const extension = EXTENSION.exec(name)?.[0] ?? '';
  return [name.slice(0, name.length - extension.length), extension];
};

/** Cut in the middle, so that the extension stays; file systems count bytes. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const [stem, extension] = split(name);
  const room = MAX_BYTES - Buffer.byteLength(extension);
  let kept = '';
  let bytes = 0;
  for (const character of stem) {
    bytes += Buffer.byteLength(character);
    if (bytes > room) break;
    kept += character;
  }
  return kept.trimEnd() + extension;
}

/**
 * Gives each entry of one archive a name of its own: a second `photo.jpg` becomes `photo (2).jpg`. Names that differ in
 * case alone count as equal, because most people's file systems think so.
 */
export class ArchiveNames {
  private readonly taken = new Set<string>([SKIPPED_NOTE]);
  private readonly next = new Map<string, number>();

  /** The entry's name for a file of this name. */
  nameFor(fileName: string): string {
    const wanted = unpackableName(fileName);
    const key = folded(wanted);
    let name = wanted;
    let number = this.next.get(key) ?? 2;
    const [stem, extension] = split(wanted);
    while (this.taken.has(folded(name))) name = `${stem} (${number++})${extension}`;
    this.next.set(key, number);
    this.taken.add(folded(name));
    return name;
  }
}
