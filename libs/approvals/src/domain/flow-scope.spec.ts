import { coverEqually, coveringFlow, type FlowScope } from './flow-scope';

const scope = (sites: readonly string[] = [], locales: readonly string[] = []): FlowScope => ({ sites, locales });
const flow = (name: string, caf_scope: FlowScope) => ({ name, caf_scope });

const ALL = flow('all', scope());
const GERMAN = flow('german', scope([], ['de']));
const SHOP = flow('shop', scope(['shop']));
const GERMAN_SHOP = flow('german shop', scope(['shop'], ['de']));

describe('the flow that covers a subject', () => {
  it.each([
    ['shop', 'de', 'german shop'],
    ['shop', 'en', 'shop'],
    ['blog', 'de', 'german'],
    ['blog', 'en', 'all'],
    ['shop', null, 'shop'],
    [null, 'de', 'german'],
    [null, null, 'all'],
  ])('of site %s in %s is that for %s, whatever their order', (site, locale, name) => {
    for (const flows of [
      [ALL, GERMAN, SHOP, GERMAN_SHOP],
      [GERMAN_SHOP, SHOP, GERMAN, ALL],
    ])
      expect(coveringFlow(flows, { site, locale })?.name).toBe(name);
  });

  it('decides by the site before the language', () => {
    expect(coveringFlow([GERMAN, SHOP], { site: 'shop', locale: 'de' })?.name).toBe('shop');
  });

  it('is none where every flow is for other sites or languages', () => {
    expect(coveringFlow([SHOP, GERMAN], { site: 'blog', locale: 'en' })).toBeUndefined();
  });
});

describe('two flows', () => {
  it.each<[string, FlowScope, FlowScope, boolean]>([
    ['cover everything', scope(), scope(), true],
    ['share a site', scope(['shop', 'blog']), scope(['blog']), true],
    ['are for other sites', scope(['shop']), scope(['blog']), false],
    ['share a language', scope([], ['de']), scope([], ['en', 'de']), true],
    ['share a site, but no language', scope(['shop'], ['de']), scope(['shop'], ['en']), false],
    ['share a language, but no site', scope(['shop'], ['de']), scope(['blog'], ['de']), false],
    ['share both', scope(['shop'], ['de']), scope(['shop'], ['de']), true],
    ['are for a site, and for everything', scope(['shop']), scope(), false],
    ['are for a site, and for a language of it', scope(['shop']), scope(['shop'], ['de']), false],
  ])('that %s', (_, one, other, equally) => {
    expect([coverEqually(one, other), coverEqually(other, one)]).toEqual([equally, equally]);
  });
});
