import { growth, LINEAR } from '../../../../platform/testing/src/growth';
import { sentencesOf } from './sentences';

const texts = (text: string): string[] => sentencesOf(text).map((sentence) => sentence.text);

describe('the sentences of a text', () => {
  it('begin below a heading, whether or not a blank line is between them', () => {
    expect(texts('# Garden\nTomatoes are watered at six. Beans are not.\n## Shed\nThe key is under the pot.')).toEqual([
      'Tomatoes are watered at six.',
      'Beans are not.',
      'The key is under the pot.',
    ]);
    expect(texts('# Garden\n\nTomatoes are watered at six.')).toEqual(['Tomatoes are watered at six.']);
    expect(texts('# Garden\r\nTomatoes are watered\r\nat six.')).toEqual(['Tomatoes are watered\r\nat six.']);
  });

  it('begin below what underlines a heading, a rule and a fence', () => {
    expect(texts('Garden\n======\nTomatoes are watered at six.')).toEqual(['Garden', 'Tomatoes are watered at six.']);
    expect(texts('Beans are not.\n---\nThe key is under the pot.')).toEqual(['Beans are not.', 'The key is under the pot.']);
  });

  it('go on where a line only wraps', () => {
    const [only, ...others] = sentencesOf('The ferry leaves\nfrom pier nine.');
    expect(others).toEqual([]);
    expect(only).toEqual({ text: 'The ferry leaves\nfrom pier nine.', start: 0, end: 32 });
  });

  it('end where a list item, a quote or a row of a table begins', () => {
    expect(texts('Bring\n- a lamp\n- a rope\n1. Open the gate\n> Said the captain\n| a | b |')).toEqual([
      'Bring',
      '- a lamp',
      '- a rope',
      '1. Open the gate',
      '> Said the captain',
      '| a | b |',
    ]);
  });

  it('are found in a time that grows with the length of the text alone', () => {
    for (const shape of ['# a\n', '\n', 'a\n', ' \n', '`', '1. ', '| a |\n'])
      expect(growth((size) => shape.repeat(Math.floor(size / shape.length)), 50_000, sentencesOf)).toBeLessThan(LINEAR);
  });
});
