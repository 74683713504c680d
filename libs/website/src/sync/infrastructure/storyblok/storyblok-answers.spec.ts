import { externalPathOf, summaryOf } from './storyblok-answers';

const story = (full_slug: string, more: object = {}) => ({
  id: 1,
  uuid: 'u',
  name: 'Story',
  slug: full_slug.replace(/\/$/, '').split('/').at(-1) ?? '',
  full_slug,
  is_folder: false,
  updated_at: '2026-01-01',
  ...more,
});
const TOP = { homeSlug: 'home' };
const FOLDER = { homeSlug: 'home', startsWith: 'shop/' };

describe('The path of a story here', () => {
  it.each([
    { at: 'lamp', path: 'lamp', place: TOP },
    { at: 'home', path: '', place: TOP },
    { at: 'home', path: 'home', place: TOP, more: { is_folder: true } },
    { at: 'products/home', path: 'products/home', place: TOP },
    { at: 'products/', path: 'products/start', place: TOP, more: { slug: 'start' } },
    { at: 'shop/lamp', path: 'lamp', place: FOLDER },
    { at: 'shop/home', path: '', place: FOLDER },
    { at: 'shoplifters', path: 'shoplifters', place: FOLDER },
  ])('at $at is $path', ({ at, path, place, more }) => expect(summaryOf(story(at, more), null, place).path).toBe(path));

  it.each([
    { path: '', place: TOP, there: 'home' },
    { path: 'products/lamp', place: TOP, there: 'products/lamp' },
    { path: '', place: FOLDER, there: 'shop/home' },
    { path: 'lamp', place: FOLDER, there: 'shop/lamp' },
  ])('leads from $path to $there', ({ path, place, there }) => expect(externalPathOf(path, place)).toBe(there));
});
