/** Control characters that no text holds; line breaks and tabs are none of these. */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
const BREAK = /[\n\r]/;
const SURROGATE = /\p{Surrogate}/u;

/** What a text has that is not stored, in words: of one line, or with `breaks` of several. */
export function unstorableIn(text: string, breaks = false): string | undefined {
  if (!breaks && BREAK.test(text)) return 'a line break';
  if (!breaks && text.includes('\t')) return 'a tab';
  const control = CONTROL.exec(text)?.[0];
  if (control !== undefined) return `the control character U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  return SURROGATE.test(text) ? 'half of a character (an unpaired surrogate)' : undefined;
}
