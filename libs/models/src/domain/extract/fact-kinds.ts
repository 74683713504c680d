/** What a question asks for, where its words say so. */
export type FactKind = 'money' | 'time' | 'length' | 'count' | 'phone' | 'email' | 'person';

interface Fact {
  readonly kind: FactKind;
  /** What a text has that says such a fact. */
  readonly told: RegExp;
  /** How questions ask for it. */
  readonly asked: RegExp;
  /** Words of a question that a text with such a fact need not repeat. */
  readonly words: string;
}

const MONTHS =
  'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|jän|mär|mai|okt|dez|ene|abr|ago|dic|enero|mayo|янв|фев|мар|апр|мая|июн|июл|авг|сен|окт|ноя|дек';
const DAYS = 'mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mié|jue|vie|sáb|dom|пн|вт|ср|чт|пт|сб|вс';
const WEEKDAYS =
  'mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonnabends?|sonntags?|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|понедельни\\p{L}{1,4}|вторни\\p{L}{1,4}|сред\\p{L}{1,3}|четверг\\p{L}{0,3}|пятниц\\p{L}{1,3}|суббот\\p{L}{1,3}|воскресень\\p{L}{1,3}';
const NUMBERS =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|hundred|ein|eine|einen|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|uno?|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|quince|veinte|treinta|deux|trois|quatre|cinq|sept|huit|neuf|dix|один|одна|дв[ае]|три|четыре|пять|шесть|семь|восемь|девять|десять';
const UNITS =
  'minutes?|hours?|days?|weeks?|months?|years?|nights?|minuten?|stunden?|tage?n?|wochen?|monaten?|jahren?|uhr|minutos?|horas?|días?|semanas?|mes(?:es)?|años?|jours?|heures?|semaines?|mois|ans|минут\\p{L}?|час\\p{L}{0,2}|дн\\p{L}{1,2}|день|недел\\p{L}{1,2}|месяц\\p{L}{0,2}|лет|год\\p{L}?';

const word = (alternatives: string): string => `(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}])`;
// eslint-disable-next-line no-restricted-syntax -- of the constants of this file
const any = (...patterns: readonly string[]): RegExp => new RegExp(patterns.join('|'), 'iu');

/** In the order in which a question is read: the first that fits counts. */
const FACTS: readonly Fact[] = [
  {
    kind: 'money',
    told: any(
      '[€$£¥₽₴₹]\\s?\\d',
      '\\d[\\d.,\\u00a0]{0,12}\\s?(?:[€$£¥₽%元块]|' +
        word('euros?|pence|cents?|dollars?|pounds?|pesos?|рубл\\p{L}{0,3}|руб|chf|eur|usd|gbp|francs?|franken') +
        ')',
      word('free|free of charge|gratis|kostenlos|kostenfrei|beitragsfrei|gratuit\\p{L}{0,2}|бесплатно') + '|免费',
    ),
    asked: any(
      word('how much|cost|costs|price|prices|fee|pay|charge'),
      word('kosten|kostet|wie teuer|wie viel|preis|preise|gebühr|gebühren|zahlen|bezahlen|zahlt'),
      word('cuánto cuesta|cuánto cuestan|cuánto vale|cuesta|costará|precio|precios|prix|coûte'),
      word('сколько стоит|сколько стоят|цена|стоимость|цены'),
      '多少钱|费用|价格|票价|收费',
    ),
    words:
      'cost costs price prices fee charge charged pay paid much kostet kosten preis preise teuer viel gebühr zahlen bezahlen cuesta cuestan vale precio precios coûte prix стоит стоят цена цены стоимость 价格 费用',
  },
  {
    kind: 'phone',
    told: /\d[\d\s()/-]{5,24}\d|\b(?:ext|extensión|durchwahl)\.?\s?\d/iu,
    asked: any(
      word(
        'phone|telephone|call|telefon|telefonnummer|anrufen|erreiche|erreichen|erreicht|teléfono|téléphone|телефон\\p{L}{0,2}|позвонить',
      ),
      '电话',
    ),
    words:
      'phone telephone number call telefon telefonnummer nummer anrufen erreiche erreichen erreicht teléfono número téléphone телефон номер позвонить 电话',
  },
  {
    kind: 'email',
    told: /[^\s@]{1,64}@[^\s@]{2,200}/u,
    asked: any(word('e-?mail|mail address|e-mail-adresse|mailadresse|correo|courriel|почт\\p{L}{0,2}'), '邮箱|邮件地址'),
    words: 'email mail address adresse mailadresse correo courriel почта адрес 邮箱',
  },
  {
    kind: 'length',
    told: any(
      `\\d\\s?(?:${word(UNITS)})`,
      `${word(NUMBERS)}\\s(?:\\p{L}{1,20}\\s)?${word(UNITS)}`,
      '[\\d一二三四五六七八九十两半]\\s?(?:个)?(?:分钟|小时|天|日|周|星期|月|年|工作日)',
      word('\\p{L}{3,12}tage?n?|sofort|immediately'),
    ),
    asked: any(
      word('how long|wie lange|cuánto tiempo|cuánto dura|cuánto tarda|combien de temps|сколько времени|как долго|сколько дней'),
      '多久|多长时间',
    ),
    words: 'long last lasts take takes lange dauert dauer tiempo dura tarda долго времени дней long',
  },
  {
    kind: 'time',
    told: any(
      '\\d{1,2}[:.h]\\d{2}',
      '\\d{1,4}(?:st|nd|rd|th)?\\.?\\s(?:of\\s|de\\s)?(?:' + MONTHS + ')',
      word(`(?:${MONTHS})\\p{L}{0,7}\\.?\\s\\d{1,4}`),
      word(WEEKDAYS),
      '^(?:' + DAYS + ')(?:[,.–-]|\\s?:)',
      '\\d{1,2}(?:[–-]\\d{1,2})?\\s?' + word('uhr|am|pm|horas|heures|час\\p{L}{0,2}'),
      word('\\d{3,4}|noon|midnight|mittags?|mitternacht|mediodía|closed|geschlossen|cerrado|fermé|закрыто|daily|täglich'),
      word('(?:mid|early|late|mitte|anfang|ende)\\s(?:' + MONTHS + ')\\p{L}{0,7}'),
      '[\\d一二三四五六七八九十两]{1,4}(?:点|月|日|号|年)|周[一二三四五六日]|星期|每天',
      `\\d\\s?(?:${word(UNITS)})`,
      `${word(NUMBERS)}\\s(?:\\p{L}{1,20}\\s)?${word(UNITS)}`,
    ),
    asked: any(
      word('when|what time|what hour|what date|which day|opening hours|hours'),
      word('wann|um wie viel uhr|welchem tag|öffnungszeiten|sprechzeiten'),
      word('cuándo|qué hora|qué día|horario|quand|quelle heure|horaires'),
      word('когда|во сколько|часы работы|в котором часу|какого числа'),
      '几点|什么时候|何时|哪天|时间|哪一天',
    ),
    words:
      'time date day open opens opening close closes hours uhr geöffnet öffnet öffnen öffnungszeiten auf offen zeit hora abre abierto cierra horario día heure ouvre ouvert horaires открыт открыто открывается работает часы часу время 时间 开放 开门 营业',
  },
  {
    kind: 'count',
    told: any('\\d', word(NUMBERS), '[一二三四五六七八九十两百千]'),
    asked: any(
      word('how (?:many|high|heavy|warm|cold|hot|far|fast|deep|tall|big|large|old|often|wide)'),
      word('wie (?:viele|hoch|schwer|warm|kalt|weit|schnell|tief|groß|alt|oft|breit)'),
      word('cuánt[oa]s?|combien|сколько'),
      '几(?!点)|多少(?!钱)|多(?:大|高|重|远)',
    ),
    words:
      'many high heavy warm cold hot far fast deep tall big large old often wide hoch schwer kalt weit schnell tief groß alt oft breit',
  },
  {
    kind: 'person',
    told: any(
      word('mr|mrs|ms|miss|dr|prof|frau|herr|herrn|señora?|sra?|don|doña|mme|monsieur|madame'),
      '\\p{Lu}\\p{Ll}{1,20}\\.?\\s\\p{Lu}[\\p{L}.]',
      ':\\s\\p{Lu}',
      '\\p{L}{2}\\s\\p{Lu}\\p{Ll}',
    ),
    asked: any(word('who|whom|whose|wer|wem|wen|quién|quiénes|qui|кто|кого|кому|кем'), '谁|哪位'),
    words: '',
  },
];

/** Whether case is part of what a pattern says. */
const PERSON =
  /(?<![\p{L}])(?:Mrs?|Ms|Miss|Dr|Prof|Frau|Herrn?|Sra?|Señora?|Mme|M)\.?\s\p{Lu}|\p{Lu}[\p{Ll}.]{1,20}\s\p{Lu}[\p{L}.]|[:：]\s?[\p{Lu}\p{Script=Han}]|\p{Ll}\s\p{Lu}\p{Ll}/u;

/** A fact that is wanted, and the words that ask for it. */
export interface WantedFact {
  readonly kind: FactKind;
  readonly words: ReadonlySet<string>;
}

/** What a question asks for; null: its words do not say. */
export function wantedFact(question: string, stemOf: (words: string) => readonly string[]): WantedFact | null {
  const fact = FACTS.find(({ asked }) => asked.test(question));
  return fact ? { kind: fact.kind, words: new Set(stemOf(fact.words)) } : null;
}

/** Whether a text says a fact of a kind. */
export function statesFact(kind: FactKind, text: string): boolean {
  if (kind === 'person') return PERSON.test(text);
  return FACTS.find((fact) => fact.kind === kind)?.told.test(text) ?? false;
}
