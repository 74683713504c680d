/** Numbers as the lists of office programs count: `iv`, `d`, `第三`. */
export function formatCount(count: number, format: string): string {
  if (!Number.isSafeInteger(count) || count < 0) return String(count);
  return (count === 0 ? undefined : FORMATS.get(format)?.(count)) ?? String(count);
}

const ROMAN = [
  ['M', 1000],
  ['CM', 900],
  ['D', 500],
  ['CD', 400],
  ['C', 100],
  ['XC', 90],
  ['L', 50],
  ['XL', 40],
  ['X', 10],
  ['IX', 9],
  ['V', 5],
  ['IV', 4],
  ['I', 1],
] as const;
const LARGEST_ROMAN = 3_999;
/** Letters are doubled behind the last one: z, aa, bb. */
const MOST_LETTERS = 20;
const LATIN = 'abcdefghijklmnopqrstuvwxyz';
const RUSSIAN = 'абвгдежзиклмнопрстуфхцчшщэюя';
const AIUEO = 'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン';
const STEMS = '甲乙丙丁戊己庚辛壬癸';
const BRANCHES = '子丑寅卯辰巳午未申酉戌亥';
const IROHA = 'イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン';
const GANADA = '가나다라마바사아자차카타파하';
const CHOSUNG = 'ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ';
const ARABIC = 'أبتثجحخدذرزسشصضطظعغفقكلمنهوي';
const ABJAD = 'أبجدهوزحطيكلمنسعفصقرشتثخذضظغ';
const THAI = 'กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ';
/** Hebrew numerals: letters for hundreds, tens and ones. */
const HEBREW = [
  ['', 'א', 'ב', 'ג', 'ד', 'ה', 'ו', 'ז', 'ח', 'ט'],
  ['', 'י', 'כ', 'ל', 'מ', 'נ', 'ס', 'ע', 'פ', 'צ'],
  ['', 'ק', 'ר', 'ש', 'ת', 'תק', 'תר', 'תש', 'תת', 'תתק'],
] as const;
const LARGEST_HEBREW = 999;
const FULL_WIDTH_ZERO = 0xff10;
const DIGITS = '〇一二三四五六七八九';
const PLACES = ['', '十', '百', '千'];
const CIRCLED = 0x2460;
const MOST_CIRCLED = 20;

const FORMATS: ReadonlyMap<string, (count: number) => string | undefined> = new Map(
  Object.entries<(count: number) => string | undefined>({
    upperRoman: roman,
    lowerRoman: (count) => roman(count)?.toLowerCase(),
    lowerLetter: (count) => letters(count, LATIN),
    upperLetter: (count) => letters(count, LATIN)?.toUpperCase(),
    russianLower: (count) => letters(count, RUSSIAN),
    russianUpper: (count) => letters(count, RUSSIAN)?.toUpperCase(),
    aiueoFullWidth: (count) => letters(count, AIUEO),
    ideographTraditional: (count) => letters(count, STEMS),
    ideographZodiac: (count) => letters(count, BRANCHES),
    irohaFullWidth: (count) => letters(count, IROHA),
    ganada: (count) => letters(count, GANADA),
    chosung: (count) => letters(count, CHOSUNG),
    arabicAlpha: (count) => letters(count, ARABIC),
    arabicAbjad: (count) => letters(count, ABJAD),
    thaiLetters: (count) => letters(count, THAI),
    hebrew1: hebrew,
    decimalFullWidth: fullWidth,
    decimalFullWidth2: fullWidth,
    decimalZero: (count) => String(count).padStart(2, '0'),
    ordinal: (count) => `${count}${suffixOf(count)}`,
    decimalEnclosedCircle: circled,
    decimalEnclosedCircleChinese: circled,
    decimalEnclosedParen: (count) => `(${count})`,
    numberInDash: (count) => `- ${count} -`,
    hex: (count) => count.toString(16).toUpperCase(),
    chineseCounting: chinese,
    chineseCountingThousand: chinese,
    taiwaneseCounting: chinese,
    taiwaneseCountingThousand: chinese,
    japaneseCounting: (count) =>
      chinese(count)
        ?.replace(/〇/g, '')
        .replace(/一(?=[十百千])/g, ''),
    ideographDigital: digits,
    taiwaneseDigital: digits,
    japaneseDigitalTenThousand: digits,
  }),
);

function roman(count: number): string | undefined {
  if (count > LARGEST_ROMAN) return undefined;
  let text = '';
  let left = count;
  for (const [sign, worth] of ROMAN)
    while (left >= worth) {
      text += sign;
      left -= worth;
    }
  return text;
}

function letters(count: number, alphabet: string): string | undefined {
  const times = Math.ceil(count / alphabet.length);
  return times > MOST_LETTERS ? undefined : (alphabet[(count - 1) % alphabet.length] ?? '').repeat(times);
}

function suffixOf(count: number): string {
  if (Math.floor((count % 100) / 10) === 1) return 'th';
  return ['th', 'st', 'nd', 'rd'][count % 10] ?? 'th';
}

function circled(count: number): string | undefined {
  return count > MOST_CIRCLED ? undefined : String.fromCodePoint(CIRCLED + count - 1);
}

function hebrew(count: number): string | undefined {
  if (count > LARGEST_HEBREW) return undefined;
  const [ones = 0, tens = 0, hundreds = 0] = [...String(count)].reverse().map(Number);
  const written = `${HEBREW[2][hundreds] ?? ''}${HEBREW[1][tens] ?? ''}${HEBREW[0][ones] ?? ''}`;
  // Fifteen and sixteen are not written as the beginning of a name of God.
  return written.replace(/יה$/, 'טו').replace(/יו$/, 'טז');
}

function fullWidth(count: number): string {
  return [...String(count)].map((digit) => String.fromCharCode(FULL_WIDTH_ZERO + Number(digit))).join('');
}

function chinese(count: number): string | undefined {
  const signs = [...String(count)].map(Number);
  if (signs.length > PLACES.length) return undefined;
  let text = '';
  let isGap = false;
  for (const [at, digit] of signs.entries()) {
    isGap ||= digit === 0;
    if (digit === 0) continue;
    if (isGap && text !== '') text += DIGITS[0] ?? '';
    isGap = false;
    text += `${DIGITS[digit] ?? ''}${PLACES[signs.length - 1 - at] ?? ''}`;
  }
  return text.startsWith('一十') ? text.slice(1) : text;
}

function digits(count: number): string {
  return [...String(count)].map((digit) => DIGITS[Number(digit)] ?? digit).join('');
}
