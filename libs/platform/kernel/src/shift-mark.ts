/**
 * What a tag leaves in a text that is without its HTML: `10<sup>6</sup>` is `10^6` and `1010<sub>2</sub>` is `1010_2`, as the
 * digits would be one number; other tags leave nothing.
 */
export function shiftMark(tag: string, before: string | undefined, after: string | undefined): '^' | '_' | '' {
  if (before === undefined || after === undefined) return '';
  if (/^<sup[\s>]/i.test(tag)) return /[\p{L}\p{N})\]]/u.test(before) && /[\d+−-]/.test(after) ? '^' : '';
  return /^<sub[\s>]/i.test(tag) && /\d/.test(before) && /\d/.test(after) ? '_' : '';
}
