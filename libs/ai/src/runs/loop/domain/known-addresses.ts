/** What an address goes on with; a source that holds more of it holds another address. */
const GOES_ON = /[\p{L}\p{N}/?&=#%@:~+$_-]/u;
/** The same at a stretch, as it is for one character after the other; in parts, since a pattern without an end outgrows its stack. */
const PARTS = /(?:(?![\u{10000}-\u{10ffff}])[\p{L}\p{N}/?&=#%@:~+$_-]){1,4096}/gu;
/** Between two texts; no address has it. */
const BETWEEN = '\u0000';
/** Characters that are compared at most; what is asked for beyond is not known. */
const MOST_COMPARED = 50_000_000;

/** The addresses that sources hold and the asker gave. */
export class KnownAddresses {
  private readonly known = new Map<string, boolean>();
  private readonly text: string;
  /** Where each run of the texts begins. They are read once, with the first address that is asked for. */
  private places: Map<string, number[]> | undefined;
  private left = MOST_COMPARED;

  constructor(
    texts: readonly string[],
    /** Whether addresses that stand in an answer as they are stay, whatever they are: nothing could have put them there. */
    readonly leavesBare = false,
  ) {
    this.text = texts.join(BETWEEN);
  }

  /** Whether one of the texts holds exactly this address. */
  hasAddress(address: string): boolean {
    let isKnown = this.known.get(address);
    if (isKnown === undefined) this.known.set(address, (isKnown = this.holds(address)));
    return isKnown;
  }

  /** It begins and ends where the text does not go on, so that its runs are whole runs of the text: it is looked for where the rarest is. */
  private holds(address: string): boolean {
    const { text } = this;
    const runs = [...runsIn(address)].map(({ run, index }) => ({ index, places: this.placesOf(run) }));
    const [first, ...others] = runs;
    if (!first || address.includes(BETWEEN)) return false;
    const rarest = others.reduce((few, run) => (run.places.length < few.places.length ? run : few), first);
    for (const place of rarest.places) {
      this.left -= address.length;
      if (this.left < 0) return false;
      const at = place - rarest.index;
      if (at >= 0 && text.startsWith(address, at) && isAlone(text, at, at + address.length)) return true;
    }
    return false;
  }

  private placesOf(run: string): readonly number[] {
    this.places ??= placesIn(this.text);
    return this.places.get(run) ?? [];
  }
}

/** Each as long as it goes on, and where it begins. */
function* runsIn(text: string): Generator<{ readonly run: string; readonly index: number }> {
  let [start, end] = [0, 0];
  for (const { 0: part, index } of text.matchAll(PARTS)) {
    if (index > end) {
      if (end > start) yield { run: text.slice(start, end), index: start };
      start = index;
    }
    end = index + part.length;
  }
  if (end > start) yield { run: text.slice(start, end), index: start };
}

function placesIn(text: string): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const { run, index } of runsIn(text)) {
    const known = places.get(run);
    if (known) known.push(index);
    else places.set(run, [index]);
  }
  return places;
}

/** Whether what is there is not the part of a longer address. A full stop or a comma may end the sentence, or go on with the address. */
function isAlone(text: string, at: number, end: number): boolean {
  const [before, next, second] = [text.charAt(at - 1), text.charAt(end), text.charAt(end + 1)];
  const goesOn = GOES_ON.test(next) || (/[.,;!]/.test(next) && GOES_ON.test(second));
  return !goesOn && !GOES_ON.test(before);
}
