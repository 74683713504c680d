import { folded } from '@atrium/platform/kernel';

/** Longer names are not compared: no one misspells them by a few letters alone. */
const LONGEST = 60;

/** Names as others are compared with them. */
export class NearNames {
  private readonly names: readonly { readonly name: string; readonly word: string }[];

  constructor(names: readonly string[]) {
    this.names = names.map((name) => ({ name, word: folded(name) })).filter(({ word }) => word.length <= LONGEST);
  }

  /** The name that is spelled nearest, where few letters make the difference. */
  nearest(wish: string): string | undefined {
    const wanted = folded(wish);
    if (wanted.length > LONGEST) return undefined;
    let least = Math.min(2, Math.floor(wanted.length / 3)) + 1;
    let nearest: string | undefined;
    for (const { name, word } of this.names) {
      if (Math.abs(word.length - wanted.length) >= least) continue;
      const edits = editsBetween(wanted, word, least);
      if (edits < least) [least, nearest] = [edits, name];
    }
    return nearest;
  }
}

/**
 * How many letters are to be added, left out, exchanged or put in another order; `enough` where it is as many or more: letters that are
 * as many places apart are not compared.
 */
function editsBetween(one: string, other: string, enough: number): number {
  let before: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const first = Math.max(1, row - enough + 1);
    const line = Array.from({ length: first }, () => enough);
    if (first === 1) line[0] = row;
    let least = enough;
    for (let at = first; at <= Math.min(other.length, row + enough - 1); at++) {
      const isSame = one[row - 1] === other[at - 1];
      let edits = Math.min((above[at] ?? enough) + 1, (line[at - 1] ?? enough) + 1, (above[at - 1] ?? enough) + (isSame ? 0 : 1));
      if (row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1])
        edits = Math.min(edits, (before[at - 2] ?? enough) + 1);
      line.push(edits);
      least = Math.min(least, edits);
    }
    if (least >= enough) return enough;
    [before, above] = [above, line];
  }
  return above[other.length] ?? enough;
}
