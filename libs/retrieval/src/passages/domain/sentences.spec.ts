import { sentencesOf } from './sentences';

const cut = (text: string): string[] => sentencesOf(text).map(({ start, end }) => text.slice(start, end));

describe('the sentences of a text', () => {
  it.each([
    ['The boat left. It came back!', ['The boat left.', 'It came back!']],
    ['See Fig. 2 of the report. It shows e.g. the harbour.', ['See Fig. 2 of the report.', 'It shows e.g. the harbour.']],
    ['Der Vertrag endet am 31. Dezember. Er gilt z. B. für Boote.', ['Der Vertrag endet am 31. Dezember.', 'Er gilt z. B. für Boote.']],
    ['船が出た。帰ってきた。', ['船が出た。', '帰ってきた。']],
    ['No full stop', ['No full stop']],
    ['  ', []],
  ])('%s', (text, sentences) => {
    expect(cut(text)).toEqual(sentences);
  });
});
