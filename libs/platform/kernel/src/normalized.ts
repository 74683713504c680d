export type NormalForm = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';

/** Marks in a row that are put in order as they are: more than people write, and few enough for the square of their number. */
const USUAL_RUN = 64;
const MARKS = /\p{M}+/gu;
/** Letters that become marks in the forms of compatibility: the half-width marks of Japanese. */
const HALF_WIDTH = /[\uff9e\uff9f]/g;

/**
 * A text in a normal form of Unicode, as `String.prototype.normalize` answers it, in a time that grows with its length. That of the
 * engine takes the square of the number of marks that follow one another: ten seconds for 100,000. Here long runs are put in their
 * canonical order before, which is a stable sort by their class.
 */
export function normalized(text: string, form: NormalForm): string {
  if (text.length <= USUAL_RUN) return text.normalize(form);
  const marked = form.startsWith('NFK') ? text.replace(HALF_WIDTH, (letter) => letter.normalize('NFKD')) : text;
  return marked.replace(MARKS, (run) => (run.length > USUAL_RUN ? inOrder(run) : run)).normalize(form);
}

/** Classes are not to be had in JavaScript; which of two marks comes first is what the engine makes of the two. */
const isAfter = (one: string, other: string): boolean => one !== other && `${one}${other}`.normalize('NFD') === `${other}${one}`;
/** Marks of the lowest and of the highest class: whatever has a class at all changes places with one of them. */
const [LOWEST, HIGHEST] = ['\u0334', '\u0345'];
/** A mark without a class is a border that no other crosses. */
const isBorder = (mark: string): boolean => mark !== LOWEST && mark !== HIGHEST && !isAfter(mark, LOWEST) && !isAfter(HIGHEST, mark);

function inOrder(run: string): string {
  const marks = [...run.replace(/./gsu, (mark) => mark.normalize('NFD'))];
  ranks ??= ranksOf(everyMark());
  const pieces: string[] = [];
  let stretch: string[][] = [];
  const end = (): void => {
    for (const ofRank of stretch) if (ofRank) pieces.push(ofRank.join(''));
    stretch = [];
  };
  for (const mark of marks) {
    const rank = ranks.get(mark);
    if (rank === undefined) {
      end();
      pieces.push(mark);
    } else (stretch[rank] ??= []).push(mark);
  }
  end();
  return pieces.join('');
}

/** Worked out with the first long run, once for the process: a text may have thousands of runs. */
let ranks: ReadonlyMap<string, number> | undefined;

/** Beyond this place are selectors of variants alone, which are borders. */
const END_OF_MARKS = 0x2_0000;

function everyMark(): string[] {
  const marks: string[] = [];
  for (let code = 0x300; code < END_OF_MARKS; code++) {
    const letter = String.fromCodePoint(code);
    if (/\p{M}/u.test(letter)) marks.push(letter);
  }
  return marks;
}

/** The places of marks in canonical order, the same for those of one class; none for borders. */
function ranksOf(marks: readonly string[]): ReadonlyMap<string, number> {
  const sorted = marks.filter((mark) => !isBorder(mark)).sort((one, other) => (isAfter(one, other) ? 1 : isAfter(other, one) ? -1 : 0));
  const ranks = new Map<string, number>();
  let rank = 0;
  sorted.forEach((mark, at) => {
    const before = sorted[at - 1];
    if (before !== undefined && isAfter(mark, before)) rank++;
    ranks.set(mark, rank);
  });
  return ranks;
}

/** Texts as they are written, and with their letters in one piece and apart: what was stored before ids were brought to one form is found by them. */
export const spellingsOf = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => [text, normalized(text, 'NFC'), normalized(text, 'NFD')])),
];
