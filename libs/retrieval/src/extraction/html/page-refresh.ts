/** A page that stays for longer is there to be read: it shows itself or others again from time to time. */
const LONGEST_STAY_SECONDS = 10;
const LONGEST_VALUE = 8_192;
const STAY = /^(\d{0,6})[\d.]*(?=[;,\s])/;
const MARK = /^[;,]/;
const NAME = /^url\s*=/i;

/**
 * The address in a value of `Refresh`, in the spellings that browsers read: `0; url=/a`, `0;URL='/a'`, `0, /a`. Undefined where there is
 * none, or where the page stays long enough to be read.
 */
export function refreshTarget(value: string): string | undefined {
  const written = value.trim();
  const stay = written.length <= LONGEST_VALUE ? STAY.exec(written) : null;
  if (!stay || Number(stay[1]) > LONGEST_STAY_SECONDS) return undefined;
  const behind = written.slice(stay[0].length).trimStart().replace(MARK, '').trimStart();
  const rest = behind.replace(NAME, '').trimStart();
  const quote = rest[0];
  if (quote !== "'" && quote !== '"') return rest.trim() || undefined;
  const end = rest.indexOf(quote, 1);
  return rest.slice(1, end < 0 ? undefined : end).trim() || undefined;
}
