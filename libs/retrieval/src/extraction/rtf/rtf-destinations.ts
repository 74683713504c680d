/** What becomes of the text of a group. */
export type Destination =
  'text' | 'none' | 'fonts' | 'styles' | 'label' | 'note' | 'instruction' | 'result' | 'title' | 'author' | 'unicode' | 'form' | 'choice';

/** Groups that begin with these words hold no text of the document. */
const NO_TEXT =
  'colortbl info pict objdata objclass header headerl headerr headerf footer footerl footerr footerf ftnsep ftnsepc aftnsep aftnsepc aftncn ftncn filetbl listtable listoverridetable revtbl rsidtbl generator themedata colorschememapping datastore latentstyles xmlnstbl wgrffmtfilter mmathPr nonshppict shprslt sp annotation atnid atnauthor atndate atnref atnicn atrfstart atrfend bkmkstart bkmkend xe tc rxe txe ffname ffdeftext datafield nonesttables nesttableprops pn pnseclvl template docvar userprops password passwordhash background doccomm operator company manager category keywords comment subject hlinkbase falt panose fontemb levelnumbers leveltext'.split(
    ' ',
  );
const KNOWN: ReadonlyMap<string, Destination> = new Map<string, Destination>([
  ...NO_TEXT.map((word): [string, Destination] => [word, 'none']),
  ['fonttbl', 'fonts'],
  ['stylesheet', 'styles'],
  ['listtext', 'label'],
  ['pntext', 'label'],
  ['footnote', 'note'],
  ['fldinst', 'instruction'],
  ['fldrslt', 'result'],
  ['formfield', 'form'],
  ['ffl', 'choice'],
  ['title', 'title'],
  ['author', 'author'],
  // The first form is for old readers; the other one is inside it.
  ['upr', 'none'],
  ['ud', 'unicode'],
]);
/** Groups whose text is that of the document, though readers that do not know them may leave them out. */
const SHOWN_ALTHOUGH_OPTIONAL = new Set([
  'shpinst',
  'shptxt',
  'dptxbxtext',
  'shpgrp',
  'cs',
  'ds',
  'moMath',
  'mr',
  'moMathPara',
  'objattph',
]);

/** What a group becomes by a word at its beginning; `undefined` where the word says nothing of that. */
export function destinationOf(word: string, isOptional: boolean): Destination | undefined {
  const known = KNOWN.get(word);
  if (known !== undefined) return known;
  return isOptional && !SHOWN_ALTHOUGH_OPTIONAL.has(word) ? 'none' : undefined;
}
