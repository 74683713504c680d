/** What a file is about, as far as words say it. */
export interface Worded {
  readonly file_name: string;
  readonly file_summary: string | null;
  readonly words: { readonly tags: string; readonly analysis: string };
}

/** Marks that cameras, phones and scanners put before a number. */
const CAMERA_MARKS =
  /^(img|image|dsc|dscn|dscf|pict?|pxl|mvi|mov|vid|video|gopr|gh|gx|dji|wa|scan|screenshot|photo|file|untitled|unnamed)$/i;

/** The text a file's meaning is found by, or null when nothing about it is in words: a number, or a camera's own name for it, says nothing. */
export function meaningText({ file_name, file_summary, words }: Worded): string | null {
  const name = file_name.replace(/\.[A-Za-z0-9]{1,16}$/, '').replace(/[_.-]+/g, ' ');
  const told = [file_summary ?? '', words.tags, words.analysis].filter(hasLetters);
  if (told.length === 0 && !(name.match(/\p{L}+/gu) ?? []).some((word) => !isCameraMark(word, name))) return null;
  return [name, file_summary ?? '', words.tags, words.analysis].filter((part) => part !== '').join('\n');
}

const hasLetters = (text: string): boolean => /\p{L}/u.test(text);

/** Such a mark is one only beside a number: a file called "scan" is about a scan. */
const isCameraMark = (word: string, name: string): boolean => /\d/.test(name) && (CAMERA_MARKS.test(word) || word.length === 1);
