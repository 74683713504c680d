import {
  currenciesOfSign,
  currencyOfSign,
  isObject,
  localNumber,
  NO_CURRENCY,
  plainNumber,
  twoNumbers,
  type JsonObject,
  type JsonValue,
} from '@atrium/platform/kernel';
import { numberSetting, textSetting, textsSetting, wholeSetting, SettingFault, type Setting } from '@atrium/platform/settings';
import { amountIn, type CellLocale } from '../cell-locale';
import {
  canonicalDecimal,
  compareDecimals,
  DECIMAL,
  decimalSize,
  decimalText,
  fractionDigits,
  holdsWhole,
  withoutExponent,
} from '../decimals';
import { plainText, ownValue, settingNumber, settingText, settingTexts, type Field } from '../field';
import type { CellReading, Complain, FieldType } from '../field';
import type { Place } from '../field';

const LARGEST = Number.MAX_SAFE_INTEGER;
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
/** Words of languages, of spreadsheets, and of databases and programs that write cells. */
const YES = new Set(
  'true t yes y 1 1.0 x on ✓ ✔ ☑ ja j wahr oui o vrai si sí s sim verdadero verdadeiro vero waar sant tak prawda ano да истина evet doğru 是 真 はい 예'.split(
    ' ',
  ),
);
const NO = new Set(
  'false f no n 0 0.0 off ✗ ✘ ☐ nein falsch non faux não nao falso nee onwaar nej falskt nie fałsz ne нет ложь hayır yanlış 否 假 いいえ 아니요'.split(
    ' ',
  ),
);

const isNumber = (value: JsonValue): value is number => typeof value === 'number';
const asText = (value: JsonValue): string => plainText(value);
const numberKey = (value: JsonValue): [{ number: number }] => [{ number: Number(value) }];

const writeNumber = (value: JsonValue, _field: Field, locale: CellLocale): string =>
  localNumber(typeof value === 'number' ? decimalText(value) : plainText(value), locale);

const readNumber = (cell: string, _field: Field, locale: CellLocale): CellReading => {
  const plain = plainNumber(cell, locale);
  if (plain === undefined) return misfitOf('number', cell, locale);
  if (Number(plain) === 0 && /[1-9]/.test(plain.split(/e/i, 1)[0] ?? '')) return { misfit: 'is smaller than a number can represent' };
  if (!holdsWhole(plain)) return { misfit: 'has more digits than a number can represent; use a field of the type decimal or text' };
  return { value: Number(plain) };
};

/** What is no number, with how one is written, and what can be two of them. */
function misfitOf(noun: string, cell: string, locale: CellLocale): { readonly misfit: string; readonly detail?: string } {
  const { decimal, groups, mark } = locale;
  const both = twoNumbers(cell, locale);
  if (both)
    return {
      misfit: `is ambiguous, because other cells of its column have a ${decimal === ',' ? 'point' : 'comma'} before their fraction`,
      detail: both.join(' or '),
    };
  if (groups === 'none') return { misfit: `is not a ${noun} with a point before its fraction and no separators between its digits` };
  return { misfit: `is not a ${noun} such as 1${mark ?? ''}250${decimal}75` };
}

/** Bounds that a field configures; `min` must not exceed `max`. */
function orderedBounds({ min, max }: JsonObject, complain: Complain): void {
  if (typeof min === 'number' && typeof max === 'number' && min > max) complain('min', 'maximum', 'must not exceed max.');
}

interface NumberRule {
  readonly whole?: boolean;
  readonly min?: number;
  readonly max?: number;
}

/** A finite number within the bounds of its field, or of its type where the field has none; minus zero is zero. */
function checkedNumber(value: JsonValue, field: Field, place: Place, { whole = false, ...bounds }: NumberRule): number | undefined {
  if (!isNumber(value) || !Number.isFinite(value)) return place.refuse(field, 'type', `must be a ${whole ? 'whole ' : ''}number.`);
  if (whole && !Number.isSafeInteger(value)) return place.refuse(field, 'type', 'must be a whole number that can be represented exactly.');
  const [min, max] = [settingNumber(field, 'min') ?? bounds.min, settingNumber(field, 'max') ?? bounds.max];
  if (min !== undefined && value < min) return place.refuse(field, 'minimum', `must be at least ${min}.`);
  if (max !== undefined && value > max) return place.refuse(field, 'maximum', `must be at most ${max}.`);
  return value === 0 ? 0 : value;
}

const bounds = (field: Field, usual: { readonly min?: number; readonly max?: number } = {}): JsonObject => {
  const [min, max] = [settingNumber(field, 'min') ?? usual.min, settingNumber(field, 'max') ?? usual.max];
  return { ...(min === undefined ? {} : { minimum: min }), ...(max === undefined ? {} : { maximum: max }) };
};

const NUMBER = numberSetting();
const scalar = { holds: 'scalar', indexed: 'number', indexKeys: numberKey, text: asText, read: readNumber, write: writeNumber } as const;

const number: FieldType = {
  ...scalar,
  name: 'number',
  settings: { min: NUMBER, max: NUMBER, decimals: wholeSetting({ min: 0, max: 10 }), unit: textSetting({ max: 40 }) },
  prepare: orderedBounds,
  check(value, field, place) {
    const checked = checkedNumber(value, field, place, {});
    const decimals = settingNumber(field, 'decimals');
    if (checked !== undefined && decimals !== undefined && fractionDigits(checked) > decimals)
      return place.refuse(field, 'decimals', `must have at most ${decimals} decimals.`);
    return checked;
  },
  fits: isNumber,
  schema: (field) => ({ type: 'number', ...bounds(field) }),
  text: (value, field) => [plainText(value), settingText(field, 'unit')].filter(Boolean).join(' '),
};

const integer: FieldType = {
  ...scalar,
  name: 'integer',
  settings: { min: wholeSetting(), max: wholeSetting(), step: wholeSetting({ min: 1, max: LARGEST }) },
  prepare: orderedBounds,
  check(value, field, place) {
    const checked = checkedNumber(value, field, place, { whole: true });
    const step = settingNumber(field, 'step');
    if (checked !== undefined && step !== undefined && (checked - (settingNumber(field, 'min') ?? 0)) % step !== 0)
      return place.refuse(field, 'format', `must be in steps of ${step}.`);
    return checked;
  },
  fits: (value) => Number.isInteger(value),
  schema: (field) => ({ type: 'integer', ...bounds(field, { min: -LARGEST, max: LARGEST }) }),
};

function checkedDecimal(value: JsonValue, field: Field, place: Place): string | undefined {
  if (typeof value !== 'string') return place.refuse(field, 'type', 'must be a decimal as a string, such as "12.50".');
  if (value.length > 60 || !DECIMAL.test(value)) return place.refuse(field, 'format', 'must be a decimal such as 12.50.');
  const decimal = canonicalDecimal(value);
  const { precision, scale } = decimalSize(decimal);
  const allowed = { precision: settingNumber(field, 'precision') ?? 38, scale: settingNumber(field, 'scale') ?? 18 };
  if (scale > allowed.scale) return place.refuse(field, 'decimals', `must have at most ${allowed.scale} decimals.`);
  if (precision > allowed.precision) return place.refuse(field, 'length', `must have at most ${allowed.precision} digits.`);
  const [min, max] = [settingText(field, 'min'), settingText(field, 'max')];
  if (min !== undefined && compareDecimals(decimal, min) < 0) return place.refuse(field, 'minimum', `must be at least ${min}.`);
  if (max !== undefined && compareDecimals(decimal, max) > 0) return place.refuse(field, 'maximum', `must be at most ${max}.`);
  return decimal;
}

const isDecimal = (value: JsonValue): boolean => typeof value === 'string' && DECIMAL.test(value);

const decimalSetting: Setting<string> = (value) =>
  typeof value === 'string' && value.length <= 60 && DECIMAL.test(value)
    ? value
    : new SettingFault('type', 'must be a decimal as a string');

const decimal: FieldType = {
  ...scalar,
  name: 'decimal',
  settings: {
    precision: wholeSetting({ min: 1, max: 38 }),
    scale: wholeSetting({ min: 0, max: 18 }),
    min: decimalSetting,
    max: decimalSetting,
  },
  prepare({ min, max }, complain) {
    if (typeof min === 'string' && typeof max === 'string' && compareDecimals(min, max) > 0)
      complain('min', 'maximum', 'must not exceed max.');
  },
  check: checkedDecimal,
  fits: isDecimal,
  schema: () => ({ type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' }),
  read(cell, _field, locale) {
    const plain = plainNumber(cell, locale);
    return plain === undefined ? misfitOf('decimal', cell, locale) : { value: withoutExponent(plain) };
  },
};

const currency: FieldType = {
  name: 'currency',
  settings: { currencies: textsSetting({ most: 200, form: { pattern: /^[A-Z]{3}$/, words: 'codes of currencies, such as EUR' } }) },
  holds: 'nested',
  indexed: 'number',
  check(value, field, place) {
    if (!isObject(value)) return place.refuse(field, 'type', 'must have an amount and a currency.');
    const strange = Object.keys(value).find((key) => key !== 'amount' && key !== 'currency');
    if (strange !== undefined)
      return place.below(strange, undefined).refuse(field, 'unknown_field', 'can contain only an amount and a currency.');
    const code = ownValue(value, 'currency');
    const amount = checkedDecimal(ownValue(value, 'amount') ?? null, field, place.below('amount', undefined));
    if (typeof code !== 'string' || !CURRENCIES.has(code) || settingTexts(field, 'currencies')?.includes(code) === false)
      return place.below('currency', undefined).refuse(field, 'option', 'must be the code of an allowed currency, such as EUR.');
    return amount === undefined ? undefined : { amount, currency: code };
  },
  fits: (value) => isObject(value) && isDecimal(ownValue(value, 'amount') ?? null) && typeof ownValue(value, 'currency') === 'string',
  schema(field) {
    const currencies = settingTexts(field, 'currencies');
    const code: JsonObject = currencies ? { enum: currencies } : { type: 'string', pattern: '^[A-Z]{3}$' };
    const amount = { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' };
    return { type: 'object', properties: { amount, currency: code }, required: ['amount', 'currency'], additionalProperties: false };
  },
  indexKeys: (value) => (isObject(value) ? [{ number: Number(value.amount) }] : []),
  text: (value) => (isObject(value) ? `${plainText(value.amount)} ${plainText(value.currency)}` : ''),
  write: (value, _field, locale) => (isObject(value) ? `${localNumber(plainText(value.amount), locale)} ${plainText(value.currency)}` : ''),
  read(cell, field, locale) {
    const { amount, code, sign } = amountIn(cell);
    const taken = settingTexts(field, 'currencies') ?? [];
    const meant = sign === undefined ? taken : currenciesOfSign(sign).filter((one) => taken.includes(one));
    const [only] = new Set(meant).size === 1 ? meant : [];
    const currency = code ?? only ?? (sign === undefined ? undefined : currencyOfSign(sign, locale.locale));
    const plain = plainNumber(amount, locale);
    if (plain === undefined) return misfitOf('amount', amount, locale);
    if (sign !== undefined && currency === undefined)
      return { misfit: 'has a sign that several currencies share; use the code, such as USD' };
    return currency === undefined || currency === NO_CURRENCY
      ? { misfit: 'contains no currency' }
      : { value: { amount: withoutExponent(plain), currency } };
  },
};

const percent: FieldType = {
  ...scalar,
  name: 'percent',
  settings: { min: NUMBER, max: NUMBER },
  prepare: orderedBounds,
  check: (value, field, place) => checkedNumber(value, field, place, { min: 0, max: 100 }),
  fits: isNumber,
  schema: (field) => ({ type: 'number', ...bounds(field, { min: 0, max: 100 }) }),
  text: (value) => `${plainText(value)} %`,
  read: (cell, field, locale) => readNumber(cell.replace(/%\s*$/, ''), field, locale),
};

const rating: FieldType = {
  ...scalar,
  name: 'rating',
  settings: { max: wholeSetting({ min: 3, max: 10 }) },
  check: (value, field, place) => checkedNumber(value, field, place, { whole: true, min: 0, max: 5 }),
  fits: (value) => Number.isInteger(value),
  schema: (field) => ({ type: 'integer', ...bounds(field, { min: 0, max: 5 }) }),
};

const boolean: FieldType = {
  name: 'boolean',
  holds: 'scalar',
  indexed: 'number',
  check: (value, field, place) => (typeof value === 'boolean' ? value : place.refuse(field, 'type', 'must be true or false.')),
  fits: (value) => typeof value === 'boolean',
  schema: () => ({ type: 'boolean' }),
  indexKeys: (value) => [{ number: value === true ? 1 : 0 }],
  text: (value) => (value === true ? 'yes' : 'no'),
  read(cell) {
    const word = cell.trim().toLowerCase();
    return YES.has(word) ? { value: true } : NO.has(word) ? { value: false } : { misfit: 'is neither yes nor no' };
  },
};

const autoNumber: FieldType = {
  ...scalar,
  name: 'auto_number',
  settings: {
    start: wholeSetting({ min: 0, max: 1_000_000_000 }),
    prefix: textSetting({ max: 40 }),
    pad: wholeSetting({ min: 0, max: 20 }),
  },
  readOnly: true,
  check: (value, field, place) => checkedNumber(value, field, place, { whole: true, min: 0 }),
  fits: (value) => Number.isInteger(value),
  schema: () => ({ type: 'integer', readOnly: true }),
  text: (value, field) => `${settingText(field, 'prefix') ?? ''}${plainText(value).padStart(settingNumber(field, 'pad') ?? 0, '0')}`,
};

/** Numbers, amounts of money and what is kept as a number. */
export const NUMBER_TYPES: readonly FieldType[] = [number, integer, decimal, currency, percent, rating, boolean, autoNumber];
