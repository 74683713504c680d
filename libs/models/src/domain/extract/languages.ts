/** Languages whose words are brought to their stems, with the words that say nothing of what a sentence is about. */
export const LANGUAGES = ['en', 'de', 'fr', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

const LISTS: Readonly<Record<Language, string>> = {
  en: `a about above after again against all also am an and any are as at be because been before being below between both but by can could did do does
    doing down during each few for from further get give had has have having he hello her here hers herself hey hi him himself his how i if in into is it
    its itself just know let like many may me might more most much must my myself no nor not of off ok okay on once one only or other our ours out over own
    please same shall she should so some such tell than thank thanks that the their theirs them themselves then there these they this those through to
    too under until up us very was we were what when where whether which while who whom whose why will with would yes you your yours yourself`,
  de: `aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist bitte da damit danke dann das dass dein
    deine dem den denn der deren des dessen die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es etwas euch
    euer für gegen gibt guten hab habe haben hallo hast hat hatte hatten hier hin ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ist ja jede jedem jeden
    jeder jedes jene kann kannst können man mein meine meinem meinen mich mir mit muss nach nein nicht nichts noch nun nur ob oder ohne sehr sein seine
    seinem seinen seiner selbst sich sie sind so soll sollen sonst über um und uns unser unsere unter vom von vor wann warum was weil welche welchem
    welchen welcher welches wenn wer werde werden wie wieder will wir wird wo wurde wurden zu zum zur zwischen`,
  fr: `à ai ainsi alors après au aucun aussi autre aux avant avec avez avoir avons bonjour c ce ceci cela ces cet cette ceux chaque chez combien comme comment
    d dans de depuis des donc dont du elle elles en encore entre es est et été être eu eux fait il ils j je jusque l la le les leur leurs lors lui m ma mais
    me même merci mes moi mon n ne ni non nos notre nous on ont ou où oui par pas peu peut plus pour pourquoi qu quand que quel quelle quelles quels qui quoi
    s sa sans se sera ses si son sont sous soit sur t ta te tes toi ton tous tout toute toutes très tu un une vers vos votre vous y était étaient`,
  es: `a al algo alguno algunos ante antes aquel aquella aquí así aunque cada como cómo con contra cuál cuáles cualquier cuando cuándo cuanto cuánto cuya de
    del desde donde dónde dos durante e el él ella ellas ellos en entre era eran es esa esas ese eso esos esta está están este esto estos estoy fue fueron
    gracias ha hace han has hasta hay he hola la las le les lo los más me mi mis mucho muy nada ni no nos nosotros nuestra nuestro o os otra otro para pero
    poco por porque puede que qué quien quién quiénes se sea ser si sí sido sin sobre solo son su sus también tan te tener ti tiene tienen todo todos tu tus
    un una uno unos usted y ya yo`,
};

const setOf = (language: Language): ReadonlySet<string> => new Set(LISTS[language].split(/\s+/));
const STOP_WORDS: Readonly<Record<Language, ReadonlySet<string>>> = { en: setOf('en'), de: setOf('de'), fr: setOf('fr'), es: setOf('es') };

export const isStopWord = (word: string, language: Language): boolean => STOP_WORDS[language].has(word);

/** The language most of whose little words are among these; English where none is. */
export function languageOf(words: readonly string[]): Language {
  const known = LANGUAGES.map((language) => words.filter((word) => isStopWord(word, language)).length);
  return LANGUAGES[known.indexOf(Math.max(...known))] ?? 'en';
}
