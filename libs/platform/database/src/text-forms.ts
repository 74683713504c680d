/** The form that a text must have: as it is checked, and in words that follow "must be". People are shown the words alone. */
export interface TextForm {
  readonly pattern: RegExp;
  readonly words: string;
}

export const EMAIL_FORM: TextForm = { pattern: /^[^\s@]+@[^\s@]+$/, words: 'an e-mail address' };
export const COLOR_FORM: TextForm = { pattern: /^#[0-9a-fA-F]{6}$/, words: 'a color such as #2b6cb0' };
export const SHA256_FORM: TextForm = { pattern: /^[0-9a-f]{64}$/, words: 'a SHA-256 hash of 64 lowercase hexadecimal digits' };
