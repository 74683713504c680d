/** What an address goes on with; a source that holds more of it holds another address. */
const GOES_ON = /[\p{L}\p{N}/?&=#%@:~+$_-]/u;

/** The addresses that sources hold and the asker gave. */
export class KnownAddresses {
  private readonly known = new Map<string, boolean>();

  constructor(
    private readonly texts: readonly string[],
    /** Whether addresses that stand in an answer as they are stay, whatever they are: nothing could have put them there. */
    readonly leavesBare = false,
  ) {}

  /** Whether one of the texts holds exactly this address. */
  has(address: string): boolean {
    let isKnown = this.known.get(address);
    if (isKnown === undefined) this.known.set(address, (isKnown = this.texts.some((text) => holds(text, address))));
    return isKnown;
  }
}

function holds(text: string, address: string): boolean {
  for (let at = text.indexOf(address); at >= 0; at = text.indexOf(address, at + 1)) {
    const end = at + address.length;
    const [before, next, second] = [text.charAt(at - 1), text.charAt(end), text.charAt(end + 1)];
    // A full stop or a comma may end the sentence, or go on with the address.
    const goesOn = GOES_ON.test(next) || (/[.,;!]/.test(next) && GOES_ON.test(second));
    if (!goesOn && (at === 0 || !GOES_ON.test(before))) return true;
  }
  return false;
}
