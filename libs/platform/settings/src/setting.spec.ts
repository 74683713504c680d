import type { JsonValue } from '@atrium/platform/kernel';
import {
  choiceSetting,
  flagSetting,
  idSetting,
  numberSetting,
  textSetting,
  textsSetting,
  wholeSetting,
  SettingFault,
  type Setting,
} from './setting';

const ID = '0190a8c4-0000-7000-8000-000000000000';
const CODES = { pattern: /^[A-Z]{3}$/, words: 'codes of currencies, such as EUR' };
const CODE = { pattern: /^[A-Z]{3}$/, words: 'the code of a currency, such as EUR' };

describe('a setting', () => {
  it.each<[string, Setting<unknown>, JsonValue]>([
    ['a flag', flagSetting, false],
    ['a number without bounds', numberSetting(), -0.5],
    ['a number at its lower bound', numberSetting({ min: 0, max: 1 }), 0],
    ['a number at its upper bound', numberSetting({ min: 0, max: 1 }), 1],
    ['a whole number', wholeSetting({ min: 1 }), 1],
    ['an empty text', textSetting(), ''],
    ['a text at its bounds', textSetting({ min: 2, max: 2 }), 'ab'],
    ['a text of a form', textSetting({ form: CODE }), 'EUR'],
    ['a word of a list', choiceSetting(['low', 'high']), 'high'],
    ['an id', idSetting(), ID],
    ['no texts', textsSetting({ most: 1 }), []],
    ['texts', textsSetting({ most: 2, longest: 3, form: CODES }), ['EUR', 'CHF']],
  ])('takes %s as it is', (_, setting, value) => {
    expect(setting(value)).toBe(value);
  });

  it.each<[setting: Setting<unknown>, value: JsonValue, code: string, message: string]>([
    [flagSetting, 'true', 'type', 'must be true or false'],
    [numberSetting({ min: 0, max: 1 }), '1', 'type', 'must be a number from 0 to 1'],
    [numberSetting({ min: 0, max: 1 }), -0.1, 'minimum', 'must be a number from 0 to 1'],
    [numberSetting({ min: 0, max: 1 }), 1.1, 'maximum', 'must be a number from 0 to 1'],
    [numberSetting({ max: 1 }), 2, 'maximum', 'must be a number of at most 1'],
    [numberSetting(), null, 'type', 'must be a number'],
    [wholeSetting({ min: 1 }), 0, 'minimum', 'must be a whole number of at least 1'],
    [wholeSetting(), 1.5, 'type', 'must be a whole number'],
    [wholeSetting(), 2 ** 53, 'type', 'must be a whole number'],
    [textSetting({ max: 3 }), 7, 'type', 'must be a string'],
    [textSetting(), 'x'.repeat(256), 'length', 'must have at most 255 characters'],
    [textSetting({ max: 3 }), 'abcd', 'length', 'must have at most 3 characters'],
    [textSetting({ max: 1 }), 'ab', 'length', 'must have at most 1 character'],
    [textSetting({ min: 1, max: 3 }), '', 'length', 'must have 1 to 3 characters'],
    [textSetting({ filled: true }), ' \t', 'type', 'must not be blank'],
    [textSetting({ form: CODE }), 'eur', 'format', 'must be the code of a currency, such as EUR'],
    [choiceSetting(['low', 'high']), 'middle', 'option', 'must be one of low, high'],
    [choiceSetting(['low', 'high']), null, 'option', 'must be one of low, high'],
    [idSetting(), 'x', 'type', 'must be an id'],
    [idSetting('the id of a schema'), 'x', 'type', 'must be the id of a schema'],
    [textsSetting({ most: 1 }), 'EUR', 'type', 'must be a list of strings of 1 to 200 characters'],
    [textsSetting({ most: 1 }), [''], 'type', 'must be a list of strings of 1 to 200 characters'],
    [textsSetting({ most: 1, longest: 2 }), ['EUR'], 'type', 'must be a list of strings of 1 to 2 characters'],
    [textsSetting({ most: 1 }), ['a', 'b'], 'length', 'must have at most 1 item'],
    [textsSetting({ most: 2, form: CODES }), ['EUR', 'eur'], 'format', 'must contain only codes of currencies, such as EUR'],
  ])('says why a value does not fit (%#): %j %j', (setting, value, code, message) => {
    expect(setting(value)).toEqual(new SettingFault(code, message));
  });
});
