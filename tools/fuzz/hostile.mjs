// Values that programs trip over.

const LONG = 1_000_000;

const TEXTS = [
  '',
  ' ',
  '\t\n',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  'x\udc00y',
  '\u202egpj.exe',
  '\u200b\u2060\ufeff',
  '\ufffe\uffff',
  '𝕳𝖆𝖗𝖇𝖔𝖚𝖗 🚢',
  'Z̷̗̆a̸͔͑l̶͇̄g̵̖͠o̷̟͠',
  'ﷺ'.repeat(50),
  'İıſßﬃ',
  "'",
  "' OR '1'='1",
  "'; DROP TABLE album; --",
  '1); SELECT pg_sleep(5); --',
  "$$; COPY file TO PROGRAM 'id'; $$",
  '\\',
  '%',
  '_',
  '%%%___',
  '\\%',
  '$1',
  ':tenant_id',
  '?',
  '{{7*7}}',
  '${7*7}',
  '#{7*7}',
  '`id`',
  '$(id)',
  '|id',
  '& whoami',
  '{"$gt":""}',
  '[$ne]',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '/etc/passwd%00.jpg',
  'file:///etc/passwd',
  'http://169.254.169.254/latest/meta-data',
  'CON',
  'aux.txt',
  '.',
  '..',
  '<script>alert(1)</script>',
  '<!ENTITY x SYSTEM "file:///etc/passwd">',
  '\r\nX-Injected: yes',
  "=cmd|' /C calc'!A0",
  'NaN',
  'undefined',
  'null',
  'true',
  '0',
  '-1',
  '1e309',
  '0x10',
  '9'.repeat(400),
  '2026-02-30T00:00:00Z',
  '0000-00-00',
  '275761-01-01T00:00:00Z',
  '2026-03-14T09:26:53+99:99',
  '-infinity',
  'now',
  'root',
  'a@b',
  `${'a'.repeat(300)}@example.com`,
  'atk_',
  'Bearer ',
  '*',
  '"',
  '"1"',
  'W/"1"',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'a'.repeat(256),
  'a'.repeat(5_001),
  '(a+)+$',
  '((((((((((a*)*)*)*)*)*)*)*)*)*',
  '"unclosed',
  'or or or',
  '- - -',
  ' & | ! ( ) : * <->',
];

const NUMBERS = [
  0,
  -0,
  -1,
  1,
  0.1,
  -0.5,
  1e21,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 31 - 1,
  2 ** 32,
  2 ** 53,
  2 ** 53 - 1,
  -(2 ** 53),
  2 ** 63,
  2 ** 64,
  Number.MIN_VALUE,
];

/** A text, sometimes a very long one. */
export function hostileText(chance) {
  if (chance.oneIn(60)) return chance.pick(['a', 'é', '🚢', '\u0000', ' ', '%', "'"]).repeat(LONG / 4);
  return chance.pick(TEXTS);
}

/** Any JSON value. */
export function hostileValue(chance, depth = 0) {
  const kind = chance.below(depth > 3 ? 6 : 12);
  if (kind <= 2) return hostileText(chance);
  if (kind === 3) return chance.pick(NUMBERS);
  if (kind === 4) return chance.pick([true, false, null]);
  if (kind === 5) return chance.pick([[], {}, [null], [[]], [{}], '']);
  if (kind === 6) return Array.from({ length: chance.pick([1, 3, 50]) }, () => hostileValue(chance, depth + 1));
  if (kind <= 9)
    return Object.fromEntries(Array.from({ length: 1 + chance.below(4) }, () => [hostileKey(chance), hostileValue(chance, depth + 1)]));
  if (kind === 10) return nested(chance.pick([10, 40, 200]), chance.pick(['list', 'object']));
  return chance.oneIn(12) ? Array.from({ length: 100_000 }, () => chance.pick([0, 'x', null])) : [chance.id(), chance.id()];
}

const hostileKey = (chance) =>
  chance.oneIn(3)
    ? chance.pick([
        '__proto__',
        'constructor',
        'prototype',
        'toString',
        '',
        '$where',
        'system',
        'library',
        'ds',
        'users',
        'roles',
        'length',
      ])
    : hostileText(chance).slice(0, 300);

function nested(depth, kind) {
  let value = 1;
  for (let i = 0; i < depth; i++) value = kind === 'list' ? [value] : { a: value };
  return value;
}

/** Bodies that are no JSON, or JSON that no decent client writes. `valid` is the text of a good one. */
export function hostileJson(chance, valid) {
  const make = chance.pick([
    () => valid.slice(0, Math.max(1, valid.length - 1 - chance.below(5))),
    () => `${valid},`,
    () => `${valid}${valid}`,
    () => `\ufeff${valid}`,
    () => valid.replaceAll('"', "'"),
    () => '',
    () => ' ',
    () => 'null',
    () => '[]',
    () => '"text"',
    () => '42',
    () => 'true',
    () => '{"a":NaN}',
    () => '{"a":1e999}',
    () => '{"a":"\\ud800"}',
    () => '{"__proto__":{"polluted":true}}',
    () => '{"constructor":{"prototype":{"polluted":true}}}',
    () => valid.replace('{', '{"a":1,"a":2,'),
    () => '['.repeat(20_000),
    () => `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
    () => `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
    () => `{"a":${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}}`,
    () => `[${'0,'.repeat(100_000)}0]`,
    () => Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
    () => Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
    () => Buffer.from([0x1f, 0x8b, 0x08, 0x00]),
  ]);
  return make();
}
