// Eighteen shapes of input on which programs take far longer than its size suggests. `salt` makes each one another: what
// is kept of the one before must not make it cheap.

const filled = (piece, length, begin = '', end = '') =>
  `${begin}${piece.repeat(Math.max(0, Math.ceil((length - begin.length - end.length) / piece.length)))}`.slice(
    0,
    Math.max(0, length - end.length),
  ) + end;

/** A shape that is a text wherever it is used. */
const ofText = (name, text) => ({
  name,
  text,
  json: (bytes, salt) => ({ [`a${salt}`]: text(room(text, bytes, salt), salt) }),
});

/** How many characters of a shape fit into so many bytes of JSON. */
function room(text, bytes, salt) {
  const sample = text(1_000, salt);
  return Math.max(0, Math.floor(((bytes - 64) * sample.length) / (Buffer.byteLength(JSON.stringify(sample)) || 1)));
}

const word = (n, salt) => `w${(n * 7919 + salt).toString(36)}`;

/** Calls `piece` until the texts together are so long. */
function upTo(length, piece, separator) {
  const pieces = [];
  for (let n = 0, size = 0; size < length; n++) {
    const next = piece(n);
    size += next.length + separator.length;
    pieces.push(next);
  }
  return pieces.join(separator).slice(0, length);
}

/** As many entries as fit. */
function entriesUpTo(bytes, entry) {
  const entries = [];
  for (let n = 0, size = 2; ; n++) {
    const [name, value] = entry(n);
    size += name.length + JSON.stringify(value).length + 4;
    if (size > bytes) return Object.fromEntries(entries);
    entries.push([name, value]);
  }
}

/** The deepest that the service takes is 100. */
function nested(depth, salt) {
  let value = salt;
  for (let n = 0; n < depth; n++) value = n % 2 === 0 ? [value] : { a: value };
  return value;
}

export const SHAPES = [
  ofText('blanks', (length, salt) => filled(salt % 2 === 0 ? ' ' : '\u3000', length, `a${salt}`, 'b')),
  ofText('newlines', (length, salt) => filled('\n', length, `a${salt}`, 'b')),
  ofText(
    'brackets',
    (length, salt) => filled('[', Math.ceil(length * 0.7), `a${salt}`) + filled('[a](http://b.', Math.floor(length * 0.3)),
  ),
  ofText('tags', (length, salt) => filled('<a>\n\n', Math.ceil(length / 2), `<html>${salt}`) + filled('<', Math.floor(length / 2))),
  ofText('emphasis', (length, salt) => filled('*a**b_`', length, `a${salt}`)),
  ofText('bullets', (length, salt) => filled('- > ', length, `${salt}\n\n`, 'x')),
  ofText('commas', (length, salt) => filled('","', Math.ceil(length / 2), `${salt}`) + filled(',', Math.floor(length / 2), '', 'x')),
  ofText('digits', (length, salt) => filled('0-1 ', length, `1${salt}`, 'x')),
  ofText('word', (length, salt) => filled('a', length, `a${salt}`, '!')),
  ofText('words', (length, salt) => upTo(length, (n) => word(n, salt), ' ')),
  ofText(
    'marks',
    (length, salt) => filled('e\u0301\u0327', Math.ceil(length / 2), `${salt}`) + filled('\u{1f469}\u200d', Math.floor(length / 4) * 2),
  ),
  // Without a letter, and each out of its canonical order: the one that is last belongs before all others.
  ofText('accents', (length, salt) => filled('\u0301\u0327\u0315\u0334\u0345', length, `${salt}`)),
  ofText(
    'accents behind',
    (length, salt) => filled('\u0345', Math.ceil(length / 2), `a${salt}`) + filled('\u0334', Math.floor(length / 2)),
  ),
  ofText('globs', (length, salt) => filled('*a?', length, `${salt}`, '*z')),
  ofText('tokens', (length, salt) => filled('eyJ-', length, `eyJ${salt}`)),
  ofText('fences', (length, salt) => filled('\n', length, `\`\`\`json\n${salt}`, '```x')),
  {
    name: 'keys',
    text: (length, salt) => upTo(length, (n) => `k${n}${salt}:${n}`, '&'),
    json: (bytes, salt) => entriesUpTo(bytes, (n) => [`k${n}${salt}`, n % 3 === 0 ? {} : n]),
  },
  {
    name: 'nesting',
    text: (length, salt) => filled('(', Math.ceil(length / 2), `${salt}`) + filled('{"a":', Math.floor(length / 2)),
    json: (bytes, salt) => ({ a: listUpTo(bytes - 8, () => nested(60, salt)) }),
  },
];

/** As many of the same as fit. */
export function listUpTo(bytes, item, most = Infinity) {
  const items = [];
  for (let size = 2; items.length < most;) {
    const next = item(items.length);
    size += Buffer.byteLength(JSON.stringify(next) ?? 'null') + 1;
    if (size > bytes && items.length > 0) break;
    items.push(next);
  }
  return items;
}
