import { selectorCost } from './selector-cost';

describe('a selector', () => {
  it.each([
    'main',
    '#content > p + p',
    'a[href~="x"], .b ~ p',
    'article:has(h1) p:not(.x)',
    '[data-x="~ ~ ~"]',
    '.a\\~b ~ p',
    'ul li:nth-child(2n+1)',
  ])('is worth its time: %s', (selector) => expect(selectorCost(selector)).toBeUndefined());

  it.each([
    ['.zz ~ * ~ * ~ * ~ *', '~'],
    ['a:has(b:has(c))', ':has'],
    [Array.from({ length: 21 }, () => 'a').join(), '20 selectors'],
    [Array.from({ length: 15 }, () => '*').join(' '), '12 elements'],
    ['a:nth-child(1):nth-child(2):only-child:nth-last-child(3)', 'siblings'],
  ])('takes more time than a page is worth: %s', (selector, why) => expect(selectorCost(selector)).toMatch(why));
});
