import type { JsonObject } from '@atrium/platform/kernel';
import { choiceSetting, flagSetting, numberSetting, textSetting, wholeSetting } from './setting';
import { SettingReader } from './setting-reader';

const SHAPE = { mode: choiceSetting(['text', 'vector']), top: wholeSetting({ min: 1, max: 50 }), score: numberSetting({ min: 0, max: 1 }) };

const faultsOf = (settings: JsonObject, read: (settings: SettingReader) => unknown): string[] =>
  SettingReader.faultsOf(settings, 'config', read).map(({ path, code }) => `${path} ${code}`);

describe('a reader of settings', () => {
  it('reads what is set, each in its type', () => {
    const read = SettingReader.read({ mode: 'text', top: 3 }, 'config', (settings) => settings.readShape(SHAPE));
    expect(read).toEqual({ mode: 'text', top: 3 });
  });

  it('throws all faults at once, with their paths', () => {
    expect(() => SettingReader.read({ mode: 'guess', top: 0, weight: 1 }, 'config', (settings) => settings.readShape(SHAPE))).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        errors: [
          { path: 'config.mode', code: 'option', message: 'must be one of text, vector' },
          { path: 'config.top', code: 'minimum', message: 'must be a whole number from 1 to 50' },
          { path: 'config.weight', code: 'unknown_field', message: 'is unknown; known settings: mode, top, score' },
        ],
      }),
    );
  });

  it('refuses null where a setting is optional or has a default, and takes it where it is nullable', () => {
    const read = (settings: SettingReader) => [
      settings.optional('a', flagSetting),
      settings.defaulted('b', flagSetting, true),
      settings.nullable('c', flagSetting),
    ];
    expect(SettingReader.read({}, 'config', read)).toEqual([undefined, true, null]);
    expect(SettingReader.read({ a: false, b: false, c: false }, 'config', read)).toEqual([false, false, false]);
    expect(faultsOf({ a: null, b: null, c: null }, read)).toEqual(['config.a type', 'config.b type']);
  });

  it('refuses a required setting that is missing or null', () => {
    const read = (settings: SettingReader) => settings.required('url', textSetting({ filled: true }), '');
    expect(SettingReader.read({ url: 'https://a/' }, 'config', read)).toBe('https://a/');
    expect(faultsOf({}, read)).toEqual(['config.url required']);
    expect(faultsOf({ url: null }, read)).toEqual(['config.url type']);
  });

  it('reads below a key, and reads an absent one as empty', () => {
    const read = (settings: SettingReader) =>
      settings.within('auth', (auth) => auth.defaulted('type', choiceSetting(['none', 'basic']), 'none'));
    expect(SettingReader.read({ auth: { type: 'basic' } }, 'config', read)).toBe('basic');
    expect(SettingReader.read({}, 'config', read)).toBe('none');
    expect(faultsOf({ auth: { type: 'x', token: 'y' } }, read)).toEqual(['config.auth.type option', 'config.auth.token unknown_field']);
  });

  it('reports only that a value is not an object, and nothing of the settings below it', () => {
    const read = (settings: SettingReader) => settings.within('auth', (auth) => auth.required('type', textSetting(), ''));
    for (const auth of [null, [], 'basic', 1]) expect(faultsOf({ auth }, read)).toEqual(['config.auth type']);
  });

  it('does not take inherited names for settings', () => {
    expect(faultsOf({ constructor: 1 }, (settings) => settings.readShape(SHAPE))).toEqual(['config.constructor unknown_field']);
    expect(SettingReader.read({}, 'config', (settings) => settings.optional('toString', flagSetting))).toBeUndefined();
  });

  it('reports settings that exclude each other', () => {
    const read = (settings: SettingReader) => {
      const { top = 50 } = settings.readShape(SHAPE);
      if (!settings.hasFaults && settings.has('score') && top === 50) settings.refuse('score', 'unknown_field', 'requires top');
    };
    expect(faultsOf({ score: 1 }, read)).toEqual(['config.score unknown_field']);
    expect(faultsOf({ score: 1, top: 2 }, read)).toEqual([]);
    expect(faultsOf({ score: 2 }, read)).toEqual(['config.score maximum']);
  });

  it('reports 100 faults at most', () => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`s${at}`, at]));
    expect(faultsOf(many, () => null)).toHaveLength(100);
  });
});
