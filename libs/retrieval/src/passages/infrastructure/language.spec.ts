import { languageOf } from './language';

describe('the language of a text', () => {
  it.each([
    ['The contract ends on the last day of December of this year.', 'en'],
    ['Der Vertrag endet am letzten Tag des Jahres und wird nicht verlängert.', 'de'],
    ['El contrato termina el último día de diciembre de este año.', 'es'],
    ['Договор заканчивается в последний день декабря этого года.', 'ru'],
    ['この契約は十二月に終わります。', 'ja'],
    ['合同于十二月结束。', 'zh'],
    ['계약은 십이월에 끝납니다.', 'ko'],
    ['1234 5678', null],
    ['', null],
  ])('%s', async (text, language) => {
    expect(await languageOf(text)).toBe(language);
  });
});
