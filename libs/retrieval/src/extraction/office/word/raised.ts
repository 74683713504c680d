const NUMBER = /^[-+−–]?\d+(?:[.,]\d+)*$/;
const VARIABLE = /^[nxyzkijmtpq]$/;
/** `n+1`, `2n`, `-x`: not the letters of ordinals. */
const TERM = /^(?=.*[\d+−–-])[\dA-Za-z+−–*/ -]{2,12}$/;

/** A raised text as it is in a line: an exponent or the mark of a note as `^6`; raised letters as in `1st` stay letters. */
export function raised(text: string, before: string): string {
  const sign = text.trim();
  if (before.trim() === '' || sign === '') return text;
  if (NUMBER.test(sign) || VARIABLE.test(sign)) return text.replace(sign, `^${sign.replace(/^[−–]/, '-')}`);
  return TERM.test(sign) && !/^\d+[a-z]{2}$/i.test(sign) ? text.replace(sign, `^(${sign})`) : text;
}
