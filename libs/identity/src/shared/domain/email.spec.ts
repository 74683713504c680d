import { domainOf, isEmail, normalEmail } from './email';

describe('an e-mail address', () => {
  it.each([
    ['Ada@Example.COM', 'ada@example.com'],
    ['  ada+tag@example.com ', 'ada+tag@example.com'],
    ['ada@Bücher.example', 'ada@xn--bcher-kva.example'],
    ['\uff41da@example.com', 'ada@example.com'],
    ["o'neil@example.com", "o'neil@example.com"],
  ])('%s is stored as %s', (typed, stored) => {
    expect(normalEmail(typed)).toBe(stored);
    expect(isEmail(stored)).toBe(true);
    expect(normalEmail(stored)).toBe(stored);
  });

  it.each([
    '',
    'ada',
    'ada@',
    '@example.com',
    'a b@example.com',
    'ada@exa mple.com',
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@b@example.com',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a'.repeat(250)}.example`,
    'ada@"x".com',
    'ada@<x>',
  ])('%j is none', (text) => {
    expect(isEmail(normalEmail(text))).toBe(false);
  });

  it('belongs to a domain', () => {
    expect(domainOf('ada@example.com')).toBe('example.com');
  });
});
