import type { TextForm } from '@atrium/platform/database';
import { isId, type JsonValue } from '@atrium/platform/kernel';

/** Why a value does not fit its setting. It never quotes the value, which may be a secret. */
export class SettingFault {
  constructor(
    /** One of the codes of the README, or one of the context's own. */
    readonly code: string,
    /** A predicate without a full stop: "must be true or false". */
    readonly message: string,
  ) {}
}

/** Reads one value of a request: the value in its type, or why it does not fit. */
export type Setting<T> = (value: JsonValue) => T | SettingFault;

interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

interface TextRule extends Bounds {
  readonly form?: TextForm;
  /** Whether a text of blanks is refused. Default: false. */
  readonly filled?: boolean;
}

interface TextsRule {
  /** Most items of the list. */
  readonly most: number;
  /** Most characters of an item. Default: 200. */
  readonly longest?: number;
  readonly form?: TextForm;
}

const LONGEST_TEXT = 255;
const LONGEST_ITEM = 200;

export const flagSetting: Setting<boolean> = (value) =>
  typeof value === 'boolean' ? value : new SettingFault('type', 'must be true or false');

export const numberSetting = (bounds: Bounds = {}): Setting<number> => bounded('a number', (value) => Number.isFinite(value), bounds);

export const wholeSetting = (bounds: Bounds = {}): Setting<number> =>
  bounded('a whole number', (value) => Number.isSafeInteger(value), bounds);

function bounded(noun: string, fits: (value: number) => boolean, { min, max }: Bounds): Setting<number> {
  const message = `must be ${noun}${rangeOf({ min, max })}`;
  return (value) => {
    if (typeof value !== 'number' || !fits(value)) return new SettingFault('type', message);
    if (min !== undefined && value < min) return new SettingFault('minimum', message);
    return max !== undefined && value > max ? new SettingFault('maximum', message) : value;
  };
}

function rangeOf({ min, max }: Bounds): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` of at least ${min}`;
  return max === undefined ? '' : ` of at most ${max}`;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** A text of at most 255 characters unless `max` is set; they are counted in UTF-16 units. */
export const textSetting =
  ({ min = 0, max = LONGEST_TEXT, form, filled = false }: TextRule = {}): Setting<string> =>
  (value) => {
    if (typeof value !== 'string') return new SettingFault('type', 'must be a string');
    if (filled && value.trim() === '') return new SettingFault('type', 'must not be blank');
    if (value.length < min || value.length > max)
      return new SettingFault('length', `must have ${min > 0 ? `${min} to` : 'at most'} ${counted(max, 'character')}`);
    return form && !form.pattern.test(value) ? new SettingFault('format', `must be ${form.words}`) : value;
  };

/** A list of texts; each has at least one character. */
export const textsSetting =
  ({ most, longest = LONGEST_ITEM, form }: TextsRule): Setting<readonly string[]> =>
  (value) => {
    const isItem = (item: JsonValue): item is string => typeof item === 'string' && item !== '' && item.length <= longest;
    const items = Array.isArray(value) ? (value as readonly JsonValue[]) : undefined;
    if (items === undefined || !items.every(isItem))
      return new SettingFault('type', `must be a list of strings of 1 to ${longest} characters`);
    if (items.length > most) return new SettingFault('length', `must have at most ${counted(most, 'item')}`);
    return form && items.some((item) => !form.pattern.test(item)) ? new SettingFault('format', `must contain only ${form.words}`) : items;
  };

export const choiceSetting =
  <const W extends string>(words: readonly W[]): Setting<W> =>
  (value) =>
    words.find((word) => word === value) ?? new SettingFault('option', `must be one of ${words.join(', ')}`);

export const idSetting =
  (what = 'an id'): Setting<string> =>
  (value) =>
    isId(value) ? value : new SettingFault('type', `must be ${what}`);
