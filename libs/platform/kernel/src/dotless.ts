/**
 * A text as searches compare it: ı, i, İ and I are one letter, with their dot in one piece or apart. Names that must be unique keep all of
 * them apart (`folded`). The function `dotless` of the database does the same.
 */
export const dotless = (text: string): string => text.replace(/[ıİI]/g, 'i').replaceAll('i\u0307', 'i');
