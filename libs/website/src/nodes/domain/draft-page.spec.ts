import type { JsonObject } from '@atrium/platform/kernel';
import type { FindComponent } from '../../content/domain/content-form';
import { DraftPage, type ShownNode } from './draft-page';
import { NEW_LOCALE, stateAfterSave, type NodeLocale } from './node-locale';
import type { SiteOfDrafts } from './page-draft';

const field = (key: string, type: string, localized = false) => ({
  key,
  label: key,
  type: { name: type },
  settings: {},
  fields: [],
  localized,
});
const FORMS: Readonly<Record<string, readonly ReturnType<typeof field>[]>> = {
  article: [field('headline', 'text', true), field('layout', 'text'), field('body', 'blocks')],
  quote: [field('words', 'text', true)],
};
const find: FindComponent = (key) => {
  const fields = FORMS[key];
  return fields && { key, kind: 'both', group: null, active: true, form: { fields } };
};
const locale = (code: string, fallback: string | null = null) => ({ code, name: code, fallback, prefix: code, active: true });
const SITE: SiteOfDrafts = {
  site_id: 's',
  site_library: 'l',
  site_default_locale: 'en',
  site_locales: [locale('en'), locale('de'), locale('de-CH', 'de'), locale('fr')],
};
const NODE: ShownNode = {
  node_id: 'n',
  node_parent: null,
  node_kind: 'page',
  node_name: 'Lamps',
  node_slug: 'lamps',
  node_slugs: { de: 'lampen' },
  node_template: 't',
  node_link: null,
  node_tags: [],
  node_menu: true,
  node_tree: {
    _uid: 'root-0001',
    component: 'article',
    headline: 'Lamps',
    layout: 'wide',
    body: [{ _uid: 'quote-001', component: 'quote', words: 'Light' }],
  },
  node_seo: {},
};
const row = (nl_locale: string, nl_overlay: JsonObject = {}, more: Partial<NodeLocale> = {}): NodeLocale => ({
  ...NEW_LOCALE,
  nl_node: 'n',
  nl_locale,
  nl_parent: null,
  nl_slug: '',
  nl_overlay,
  ...more,
});
const GERMAN = { 'root-0001.headline': 'Lampen' };
const rows = (german: JsonObject = GERMAN): NodeLocale[] => [row('en'), row('de', german), row('de-CH'), row('fr')];
const page = (node: Partial<ShownNode> = {}, locales = rows()): DraftPage => new DraftPage(SITE, { ...NODE, ...node }, locales, find);

describe('a draft in its locales', () => {
  it('shows values of a locale, else of its fallbacks, else of the default locale', () => {
    expect(['en', 'de', 'de-CH', 'fr'].map((code) => page().contentIn(code).headline)).toEqual(['Lamps', 'Lampen', 'Lampen', 'Lamps']);
    expect(['en', 'de', 'de-CH'].map((code) => page().slugIn(code))).toEqual(['lamps', 'lampen', 'lamps']);
    expect(page().translationIn('de')).toEqual({ missing: ['quote-001.words'], stale: [] });
    expect(page().translationIn('en')).toEqual({ missing: [], stale: [] });
  });

  it('has other hashes where a locale shows something else, and the same where it does not', () => {
    const before = page();
    const hashes = (of: DraftPage): string[] => SITE.site_locales.map(({ code }) => of.hashIn(code));
    const differs = (after: DraftPage): string[] =>
      SITE.site_locales.filter((_, at) => hashes(before)[at] !== hashes(after)[at]).map(({ code }) => code);
    expect(differs(page())).toEqual([]);
    expect(differs(page({}, rows({ 'root-0001.headline': 'Leuchten' })))).toEqual(['de', 'de-CH']);
    expect(differs(page({ node_tree: { ...NODE.node_tree, headline: 'Lights' } }))).toEqual(['en', 'fr']);
    expect(differs(page({ node_tree: { ...NODE.node_tree, layout: 'narrow' } }))).toEqual(['en', 'de', 'de-CH', 'fr']);
    expect(differs(page({ node_slugs: { de: 'leuchten' } }))).toEqual(['de']);
    expect(differs(page({ node_seo: { title: 'Lamps' } }))).toEqual(['en', 'de', 'de-CH', 'fr']);
    expect(differs(page({ node_name: 'Lights' }))).toHaveLength(4);
    expect(before.hashIn('fr')).toBe(before.hashIn('en'));
  });

  it('settles the rows of all locales: slug, hash, counts, state, and the revision of what was written', () => {
    const live = page().hashIn('de');
    const before = [
      row('en', {}, { nl_status: 'published', live_hash: 'other' }),
      row('de', GERMAN, { nl_status: 'changed', live_hash: live }),
      row('fr'),
    ];
    expect(page({}, before).settle(before, ['de'])).toMatchObject([
      { nl_locale: 'en', nl_slug: 'lamps', nl_status: 'changed', nl_revision: 1, nl_missing: 0 },
      { nl_locale: 'de', nl_slug: 'lampen', nl_status: 'published', nl_revision: 2, nl_missing: 1, nl_hash: live },
      { nl_locale: 'fr', nl_slug: 'lamps', nl_status: 'draft', nl_revision: 1, nl_missing: 2 },
    ]);
  });

  it('settles only the locales that show values of another one, where nothing else was written', () => {
    const before = rows().map((one) => ({ ...one, nl_hash: 'before', nl_missing: 9 }));
    const settled = page({}, rows({ 'root-0001.headline': 'Leuchten' })).settle(before, ['de'], new Set(['de']));
    expect(settled.map(({ nl_locale, nl_hash, nl_missing }) => [nl_locale, nl_hash === 'before', nl_missing === 9])).toEqual([
      ['en', true, true],
      ['de', false, false],
      ['de-CH', false, false],
      ['fr', true, true],
    ]);
  });

  it('has no content where it is a folder', () => {
    const folder = page({ node_kind: 'folder', node_tree: {}, node_template: null });
    expect(folder.contentIn('de')).toEqual({});
    expect(folder.translationIn('de')).toEqual({ missing: [], stale: [] });
    expect(folder.hashIn('de')).not.toBe(folder.hashIn('en'));
  });
});

describe('the state of a locale after a save', () => {
  it.each([
    ['draft', null, 'draft'],
    ['unpublished', null, 'unpublished'],
    ['published', 'live', 'published'],
    ['changed', 'live', 'published'],
    ['published', 'other', 'changed'],
  ] as const)('is, from %s with %s live, %s', (state, live, expected) => {
    expect(stateAfterSave(state, 'live', live)).toBe(expected);
  });
});
