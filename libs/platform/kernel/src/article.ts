/** `an album`, `a user`: a noun as a sentence names one of its kind. */
export const withArticle = (noun: string): string => `${/^(?:[aeio]|u(?!s|ni))/i.test(noun) ? 'an' : 'a'} ${noun}`;
