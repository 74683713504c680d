const LONGEST = 64 * 1024;

/** Says where a text stops being JSON, in lines and columns as editors count them. */
export function malformedJson(text: string): string {
  const at = text.length > LONGEST ? positionIn(text) : firstFault(text);
  if (at === undefined) return 'The body is not valid JSON.';
  const before = text.slice(0, at).split('\n');
  return `The body is not valid JSON${at === text.length ? ': it ends too early' : ''}; line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}.`;
}

/** What the parser says itself; for some faults it names the letter, and not the place. */
function positionIn(text: string): number | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (/end of JSON/.test(message)) return text.length;
    const position = /at position (\d+)/.exec(message)?.[1];
    return position === undefined ? undefined : Number(position);
  }
}

/** The length of the longest beginning that may still become JSON. */
function firstFault(text: string): number {
  let [possible, faulty] = [0, text.length + 1];
  while (faulty - possible > 1) {
    const middle = Math.floor((possible + faulty) / 2);
    if (mayGoOn(text.slice(0, middle))) possible = middle;
    else faulty = middle;
  }
  return possible;
}

function mayGoOn(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return true;
  } catch {
    const position = positionIn(beginning);
    return position !== undefined && position >= beginning.length;
  }
}
