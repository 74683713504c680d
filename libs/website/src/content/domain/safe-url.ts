const LONGEST_URL = 2_048;
/** Spaces and control characters: browsers drop some of them, so that `java\nscript:` is a scheme again. */
const HIDDEN = /[\s\u0000-\u001f\u007f]/;

/** Whether an address may be linked to: absolute, of one of the schemes, without anything that a browser would drop. */
export function isSafeUrl(url: string, schemes: readonly string[] = ['http', 'https']): boolean {
  if (url.length > LONGEST_URL || HIDDEN.test(url) || !URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return schemes.includes(protocol.slice(0, -1)) && username === '' && password === '';
}

const EMAIL = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}$/;
export const isEmail = (text: string): boolean => text.length <= 254 && EMAIL.test(text);

/** The name of a place within a page: no signs that end an attribute or an address. */
const ANCHOR = /^[\p{L}\p{N}_.:-]{1,120}$/u;
export const isAnchor = (text: string): boolean => ANCHOR.test(text);
