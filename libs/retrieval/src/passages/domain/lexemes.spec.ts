import { lexemesOf } from './lexemes';
import { stemmingOf } from '../infrastructure/stemmers';

const known = async (text: string, language: string | null = null): Promise<string[]> =>
  [...lexemesOf(text, await stemmingOf(language))].map(({ lexeme, position }) => `${position}:${lexeme}`);

describe('the words of a text', () => {
  it('are compared without case and accents, one position each', async () => {
    expect(await known('Café, ÜBER Straße')).toEqual(['0:cafe', '1:uber', '2:strasse']);
  });

  it('are the same with a dot on the i and without it', async () => {
    expect(await known('IĞDIR ığdır İSTANBUL istanbul ISTANBUL')).toEqual(['0:igdir', '1:igdir', '2:istanbul', '3:istanbul', '4:istanbul']);
    expect(await known('İskelesi', 'tr')).toEqual(await known('iskelesi', 'tr'));
    expect(await known('i\u0307stanbul I\u0307STANBUL')).toEqual(['0:istanbul', '1:istanbul']);
  });

  it('are one with soft hyphens within them', async () => {
    expect(await known('co\u00ADop\u00ADeration')).toEqual(['0:cooperation']);
  });

  it('come with their stems, which name the language that made them', async () => {
    expect(await known('boats sailing', 'en')).toEqual(['0:boats', '0:boat~en', '1:sailing', '1:sail~en']);
    expect(await known('лодками', 'ru')).toEqual(['0:лодками', '0:лодк~ru']);
    expect(await known('boats', 'xx')).toEqual(['0:boats']);
  });

  it('are pairs and single characters where a script puts no blanks', async () => {
    expect(await known('東京都 GPS端末')).toEqual(['0:東', '0:東京', '1:京', '1:京都', '2:都', '3:gps', '4:端', '4:端末', '5:末']);
    expect(await known('ไทย')).toHaveLength(5);
  });

  it('keep the marks that are part of their letters', async () => {
    expect(await known('हिन्दी')).toEqual(['0:हिन्दी']);
  });
});
