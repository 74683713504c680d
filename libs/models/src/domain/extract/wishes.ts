/** What a message asks for besides an answer to a question. */
export interface SideRequest {
  /** A summary of a document or of what is known, or the files that mention something. */
  readonly kind: 'summary' | 'mentions';
  readonly about: string;
}

const FORMS: readonly (readonly [SideRequest['kind'], RegExp])[] = [
  ['mentions', /^(?:which|what) (?:files|documents|notes|pages|texts) (?:mention|contain|name|talk about|are about) (\S.*)$/i],
  ['mentions', /^(?:welche|in welchen) (?:dateien|dokumenten?|texten?) (?:erwähnen|nennen|enthalten|wird|kommt|steht etwas über) (\S.*)$/i],
  ['mentions', /^(?:qué|cuáles|en qué) (?:archivos|documentos|textos) (?:mencionan|nombran|contienen|hablan de|se menciona) (\S.*)$/i],
  ['mentions', /^(?:quels|dans quels) (?:fichiers|documents|textes) (?:mentionnent|contiennent|parlent de) (\S.*)$/i],
  ['mentions', /^(?:в каких|какие) (?:файлах|документах|файлы|документы) (?:упоминается|упоминаются|упоминают|есть|содержат) (\S.*)$/i],
  ['mentions', /^(?:哪些|哪个|哪几个)(?:文件|文档|资料)(?:里)?(?:提到|提及|包含|说到)了?(.+)$/],
  ['summary', /^(?:please )?(?:summari[sz]e|sum up|give me a summary of) (?:what (?:we|you|our documents) (?:know|say) about )?(.+)$/i],
  ['summary', /^(?:what do|what does) (?:our|the|my) (?:documents?|files?|notes|sources) say about (.+)$/i],
  ['summary', /^what do (?:we|you) know about (.+)$/i],
  ['summary', /^fass(?:e|en sie)? (?:bitte )?(?:zusammen, was wir über )?(\S.*)$/i],
  ['summary', /^was (?:sagen|steht in) (?:unseren?|den|die) (?:dokumenten?|dateien|unterlagen) (?:über|zum?|zur) (.+)$/i],
  ['summary', /^(?:resume|resuma|resumir|haz un resumen de) (?:lo que sabemos (?:de|sobre) )?(.+)$/i],
  ['summary', /^qué dicen (?:nuestros|los) (?:documentos|archivos) (?:de|sobre) (.+)$/i],
  ['summary', /^(?:résume|résumez|fais un résumé de) (?:ce que nous savons (?:de|sur) )?(.+)$/i],
  ['summary', /^(?:кратко )?(?:перескажи|резюмируй|обобщи|суммируй)(?:те)? (?:что мы знаем о )?(.+)$/i],
  ['summary', /^что (?:говорят|сказано в) (?:наши|наших) (?:документы|документах) о (.+)$/i],
  ['summary', /^请?(?:总结|概括|归纳)(?:一下)?(.+)$/],
  ['summary', /^我们的(?:文件|文档|资料)(?:里)?(?:关于)?(.+?)(?:说了什么|怎么说)$/],
];
const LONGEST = 500;
const OUTER = /[\s¿¡?？.。!！…"“„”«»'《》]/u;
/** The verb of a German question is behind what it asks about. */
const VERB = / (?:erwähnt|vor|wissen|zusammen)$/i;
/** Names what comes with the message, and nothing of what it says. */
const THIS =
  /^(?:this|it|the|that|attached|these|das|dies|diese|dieses|den|die|esto|este|ce|это|этот|这|这个|这份)?\s*(?:attached |angehängte |adjunto )?(?:file|document|text|attachment|page|datei|dokument|anhang|archivo|documento|fichier|файл|документ|текст|文件|文档)?s?$/iu;

/** What a message wishes for; null: it asks a question. */
export function wishOf(message: string): SideRequest | null {
  if (message.length > LONGEST) return null;
  const plain = bare(message);
  for (const [kind, form] of FORMS) {
    const about = bare(form.exec(plain)?.[1]?.replace(VERB, '') ?? '');
    if (about !== '') return { kind, about };
  }
  return null;
}

/** Without the marks around it. */
function bare(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && OUTER.test(text.charAt(from))) from++;
  while (to > from && OUTER.test(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}

/** Whether a wish is about what came with the message. */
export const isAboutThis = ({ about }: SideRequest): boolean => THIS.test(about.trim());
