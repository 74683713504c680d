import { growth, LINEAR } from '../../../platform/testing/src/growth';
import { ReasoningSplitter, thoughtsAndAnswer } from './reasoning-splitter';

/** The answer in pieces of so many characters. */
function separated(text: string, size: number): { readonly text: string; readonly reasoning: string } {
  const apart = new ReasoningSplitter();
  const pieces = [
    ...(text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? []).flatMap((piece) => apart.splitText(piece)),
    ...apart.releaseRest(),
  ];
  const of = (kind: string): string => pieces.map((piece) => (piece.kind === kind ? piece.text : '')).join('');
  return { text: of('text'), reasoning: of('reasoning') };
}

describe('thoughts at the beginning of an answer', () => {
  it.each<[string, string, string]>([
    ['<think>So.</think>\n\nForty-two.', 'So.', 'Forty-two.'],
    ['\n<thinking>So.</thinking>Forty-two.', 'So.', 'Forty-two.'],
    ['<THINK>So</THINK> <think>it is.</think> Forty-two.', 'Soit is.', 'Forty-two.'],
    ['<think>\n\n</think>\n\nForty-two.', '\n\n', 'Forty-two.'],
    ['[THINK]So.[/THINK]Forty-two.', 'So.', 'Forty-two.'],
    ['<seed:think>So.</seed:think>Forty-two.', 'So.', 'Forty-two.'],
    ['<reflection>So.</reflection>Forty-two.', 'So.', 'Forty-two.'],
    ['◁think▷So.◁/think▷Forty-two.', 'So.', 'Forty-two.'],
    ['<|channel|>analysis<|message|>So.<|channel|>final<|message|>Forty-two.', 'So.', 'Forty-two.'],
    ['<think>1 < 2 </th', '1 < 2 </th', ''],
    ['<think>So.</think>', 'So.', ''],
    ['Forty-two. <think>So.</think>', '', 'Forty-two. <think>So.</think>'],
    ['```\n<think>So.</think>\n```', '', '```\n<think>So.</think>\n```'],
    ['<think>İstanbul İzmir</think>Forty-two.', 'İstanbul İzmir', 'Forty-two.'],
    ['<think>So.</THINKING></think>Forty-two.', 'So.</THINKING>', 'Forty-two.'],
    ['<thin ice>', '', '<thin ice>'],
    ['  <th', '', '  <th'],
    ['', '', ''],
  ])('are separated from it: %j', (answer, reasoning, text) => {
    for (const size of [1, 2, 5, 100]) expect(separated(answer, size)).toEqual({ reasoning, text });
  });

  it.each<[string, (size: number) => readonly string[]]>([
    ['blanks, one a piece', (size) => Array.from({ length: size }, () => ' ')],
    ['thoughts in one piece', (size) => ['<think></think>'.repeat(size)]],
    ['a mark that never ends, a sign a piece', (size) => ['<think>', ...Array.from({ length: size }, () => '<')]],
  ])('take a time that grows with the answer: %s', (_, answer) => {
    const separate = (answered: readonly string[]): number => {
      const apart = new ReasoningSplitter();
      return answered.reduce((count, piece) => count + apart.splitText(piece).length, apart.releaseRest().length);
    };
    expect(growth(answer, 4_000, separate)).toBeLessThan(LINEAR);
  });

  it.each<[string, readonly [kind: string, text: string][]]>([
    [
      'So.\n</think>\n\nForty-two.',
      [
        ['reasoning', 'So.\n'],
        ['text', 'Forty-two.'],
      ],
    ],
    [
      'So. </THINK> \r\nForty-two.',
      [
        ['reasoning', 'So. '],
        ['text', 'Forty-two.'],
      ],
    ],
    [
      '<think>So.</think>\nSay </think>\n at the end.',
      [
        ['reasoning', 'So.'],
        ['text', 'Say </think>\n at the end.'],
      ],
    ],
    ['The mark is `</think>`\nat the end.', [['text', 'The mark is `</think>`\nat the end.']]],
    ['Close it with </think> and go on.', [['text', 'Close it with </think> and go on.']]],
    ['```\nSo.</think>\n```', [['text', '```\nSo.</think>\n```']]],
    ['<reasoning lang="de">\nso\n</reasoning>\nand then.', [['text', '<reasoning lang="de">\nso\n</reasoning>\nand then.']]],
    ['It writes\n<think>\nso\n</think>\nand then.', [['text', 'It writes\n<think>\nso\n</think>\nand then.']]],
  ])('are separated in a whole answer by their end alone: %j', (answer, found) => {
    expect(thoughtsAndAnswer(answer).map(({ kind, text }) => [kind, text])).toEqual(found);
  });
});
