import { faultsOfQuery } from '@atrium/platform/testing';
import { DeliverPage, DeliverPages, DeliverTree } from './delivery.dto';

const ID = '0190163d-8694-739b-aea5-966c26f8ad91';
const list = (name: string, count: number, value: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => `${name}[]=${value(n)}`).join('&');

describe('a page', () => {
  it.each<[string, string, string, string]>([
    ['without a path', '', 'path', 'required'],
    ['at an empty path', 'path=', 'path', 'too_short'],
    ['at a path beyond its bounds', `path=/${'a'.repeat(2_000)}`, 'path', 'too_long'],
    ['at two paths', 'path=/a&path=/b', 'path', 'string'],
    ['in a locale beyond its bounds', `path=/&locale=${'a'.repeat(36)}`, 'locale', 'too_long'],
    ['in another version', 'path=/&version=12', 'version', 'choice'],
    ['as markdown', 'path=/&rich=markdown', 'rich', 'choice'],
    ['with an endless token', `path=/&token=${'a'.repeat(101)}`, 'token', 'too_long'],
    ['by its id', `path=/&node_id=${ID}`, 'node_id', 'unknown_field'],
  ])('is refused %s', async (_, query, path, code) => {
    expect(await faultsOfQuery(DeliverPage, query)).toMatchObject([{ path, code }]);
  });

  it('is read by its path alone', async () => {
    expect(await faultsOfQuery(DeliverPage, 'path=/products/lamp')).toEqual([]);
  });
});

describe('a tree', () => {
  it.each<[string, string, string, string]>([
    ['of no level', 'depth=0', 'depth', 'too_small'],
    ['of 16 levels', 'depth=16', 'depth', 'too_large'],
    ['of half a level', 'depth=1.5', 'depth', 'integer'],
    ['with a menu that is neither', 'menu=perhaps', 'menu', 'boolean'],
    ['of drafts', 'version=draft', 'version', 'unknown_field'],
  ])('is refused %s', async (_, query, path, code) => {
    expect(await faultsOfQuery(DeliverTree, query)).toMatchObject([{ path, code }]);
  });
});

describe('a list of pages', () => {
  it.each<[string, string, string, string]>([
    ['below what is no page', 'under=lamp', 'under', 'uuid'],
    ['of an empty template', 'template=', 'template', 'too_short'],
    ['of a template beyond its bounds', `template=${'a'.repeat(61)}`, 'template', 'too_long'],
    ['with 11 tags', list('tags', 11, (n) => `t${n}`), 'tags', 'too_many'],
    ['of 101 pages by their ids', list('ids', 101, (n) => `0190163d-8694-739b-aea5-${String(n).padStart(12, '0')}`), 'ids', 'too_many'],
    ['of what is no page', list('ids', 1, () => 'lamp'), 'ids', 'uuid'],
    ['by a text as content', 'content=a', 'content', 'object'],
    ['as markdown', 'rich=markdown', 'rich', 'choice'],
    ['of nothing', 'limit=0', 'limit', 'too_small'],
    ['by snapshots', `np_snapshot=${ID}`, 'np_snapshot', 'unknown_field'],
  ])('is refused %s', async (_, query, path, code) => {
    expect(await faultsOfQuery(DeliverPages, query)).toMatchObject([{ path, code }]);
  });

  it('takes filters by content and a limit beyond what a page of it has', async () => {
    expect(await faultsOfQuery(DeliverPages, 'locale=en&template=article&content[price][gte]=10&sort=content_price&limit=100')).toEqual([]);
  });
});
