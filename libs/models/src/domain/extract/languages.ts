/** Languages whose words are brought to their stems, with the words that say nothing of what a sentence is about. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'ru', 'zh'] as const;
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
  ru: `а без бы был была были было быть в вам вас ваш ваша ваше ваши во вот все всё вы где да для до его ее её если есть ещё же за здесь и из или им их к как
    какая какие какой какую когда кого кому который кто куда ли мне можно мой мы на над нам нас наш не него нее неё нет ни них но ну о об он она они оно от
    откуда по под при про с сам свой себя сколько со так там тебя то тоже только ты у уже чего чей чем что чтобы эта эти это этот я`,
  zh: `的 了 是 在 和 与 及 或 吗 呢 吧 啊 什么 时候 什么时候 多少 多少钱 几 谁 怎么 怎样 如何 哪 哪里 哪儿 哪个 哪些 哪天 多久 多长 可以 能 能否 由 要 有 没有 我 你 您 他 她 它 我们 你们
    他们 个 也 都 就 请 请问 这 那 这个 那个 到 从 对 为 为什么 被 把 让 给 会 应该 需要 一下 里 上 下 多 钱 点 天 日 月 每 最 何时 是否 不 之 其 于 以 而 但 如果`,
};

const setOf = (language: Language): ReadonlySet<string> => new Set(LISTS[language].split(/\s+/));
const STOP_WORDS = Object.fromEntries(LANGUAGES.map((language) => [language, setOf(language)])) as Readonly<
  Record<Language, ReadonlySet<string>>
>;

export const isStopWord = (word: string, language: Language): boolean => STOP_WORDS[language].has(word);

const SCRIPTS: readonly (readonly [RegExp, Language])[] = [
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Han}/u, 'zh'],
];

/** The language of most words by their script, else the one most of whose little words are among these; English where none is. */
export function languageOf(words: readonly string[]): Language {
  for (const [script, language] of SCRIPTS) if (words.filter((word) => script.test(word)).length * 2 > words.length) return language;
  const known = LANGUAGES.map((language) => words.filter((word) => isStopWord(word, language)).length);
  return LANGUAGES[known.indexOf(Math.max(...known))] ?? 'en';
}
