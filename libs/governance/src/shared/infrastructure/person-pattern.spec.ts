import { composedWays, piecesOf } from '../domain/name-spellings';
import { personNeedles } from './person-pattern';

const small = (text: string): string => [...text].map((letter) => letter.toLowerCase()).join('');
const smallAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const likeOf = (needle: string): RegExp =>
  new RegExp(
    `^${needle
      .split(/(\\.|%)/)
      .map((part) => (part === '%' ? '.*' : part.replace(/^\\/, '').replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')))
      .join('')}$`,
    'su',
  );
const isNeedled = (needles: readonly string[], text: string, inSmall: (text: string) => string): boolean =>
  needles.some((needle) => likeOf(inSmall(needle)).test(inSmall(text)));

/** Every letter that may fold to another, alone and before those with which it may be written as one. */
const NAMES = [
  [0xaa, 0x590],
  [0x1e00, 0x2000],
  [0xfb00, 0xfb18],
].flatMap(([from = 0, to = 0]) =>
  Array.from({ length: to - from }, (_, i) => String.fromCodePoint(from + i))
    .filter((letter) => /[\p{L}\p{M}]/u.test(letter))
    .flatMap((letter) => ['', 's', 't', 'f', 'i', 'l'].map((next) => `Ab${letter}${next}`)),
);
const formsOf = (name: string): readonly string[] => [
  ...new Set([name, name.toUpperCase(), name.toLowerCase()].flatMap((form) => [form, form.normalize('NFD')])),
];

describe('what finds a person', () => {
  it('finds each letter as it is written, large, small and with its marks apart', () => {
    const lost = NAMES.flatMap((name) => {
      const spelled = piecesOf(name)
        .map((piece) => piece.pattern ?? piece.text)
        .join('');
      const pattern = new RegExp(`^(?:${[smallAscii(spelled), ...composedWays(name).map(smallAscii)].join('|')})$`, 'u');
      return formsOf(name).filter((form) => !pattern.test(smallAscii(form)));
    });
    expect(lost).toEqual([]);
  });

  it('is looked for first by what is in each of these, whichever case the database knows', () => {
    const lost = NAMES.flatMap((name) => {
      const [needles, plain] = [
        personNeedles({ user_id: null, email: null, name }),
        personNeedles({ user_id: null, email: null, name }, { ofAscii: true }),
      ];
      return formsOf(name).filter((form) => !isNeedled(needles, form, small) || !isNeedled(plain, form, smallAscii));
    });
    expect(lost).toEqual([]);
  });

  it('is looked for first by the word with most letters that have one spelling', () => {
    expect(personNeedles({ user_id: null, email: null, name: 'Ößßéßé Ada' })).toContain('%ada%');
    expect(personNeedles({ user_id: null, email: null, name: 'Γιάννης Δ' })).toContain('%γ%%ννη%%');
    expect(personNeedles({ user_id: null, email: null, name: 'Γιάννης Ada' }, { ofAscii: true })).toContain('%ada%');
    expect(personNeedles({ user_id: null, email: null, name: 'Ada Quartermaine' })).toEqual(['%quartermaine%']);
  });
});
