import { linkedCanonical } from './link-header';

const AT = 'https://example.com/docs/a?b';

describe('the canonical address in a header', () => {
  it.each([
    ['<https://example.com/a>; rel="canonical"', 'https://example.com/a'],
    ['</a>; rel=canonical', 'https://example.com/a'],
    ['</style.css>; rel=preload; as=style, <a,b;c>; title="x"; rel="shortlink canonical"', 'https://example.com/docs/a,b;c'],
    ['</a>;REL = "Canonical"', 'https://example.com/a'],
  ])('%s: %s', (header, address) => expect(linkedCanonical(header, AT)).toBe(address));

  it.each([
    undefined,
    '',
    '</a>; rel="next"',
    '</a>; title="canonical"',
    'rel=canonical',
    '</a; rel=canonical',
    '<http://>; rel=canonical',
  ])('is none: %s', (header) => expect(linkedCanonical(header, AT)).toBeUndefined());
});
