import { faultsOfBody, faultsOfQuery } from '@atrium/platform/testing';
import {
  CreatePreviewLink,
  CreateRedirect,
  ListPreviewLinks,
  ListRedirects,
  ListSchedules,
  PublishNode,
  PublishNodes,
  UnpublishNode,
} from './publishing.dto';

const ID = '0190163d-8694-739b-aea5-966c26f8ad91';
const idOf = (n: number): string => `0190163d-8694-739b-aea5-${n.toString(16).padStart(12, '0')}`;
const many = <T>(count: number, of: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => of(n));

describe('a publish', () => {
  it.each<[string, object, string, string]>([
    ['no locale', { locales: [] }, 'locales', 'too_few'],
    ['51 locales', { locales: many(51, (n) => `l${n}`) }, 'locales', 'too_many'],
    ['null as its locales', { locales: null }, 'locales', 'array'],
    ['a number as a locale', { locales: [7] }, 'locales', 'string'],
    ['the version 0', { version: 0 }, 'version', 'too_small'],
    ['half a version', { version: 1.5 }, 'version', 'integer'],
    ['a word as a flag', { subtree: 'yes' }, 'subtree', 'boolean'],
    ['null as a flag', { freeze: null }, 'freeze', 'boolean'],
    ['a time that is none', { at: 'tomorrow' }, 'at', 'date_time'],
    ['null as its time', { at: null }, 'at', 'date_time'],
    ['whose it is', { by: ID }, 'by', 'unknown_field'],
  ])('of a page is refused with %s', async (_, body, path, code) => {
    expect(await faultsOfBody(PublishNode, body)).toMatchObject([{ path, code }]);
  });

  it.each<[string, object, string, string]>([
    ['no list of pages', {}, 'node_ids', 'required'],
    ['no page', { node_ids: [] }, 'node_ids', 'too_few'],
    ['501 pages', { node_ids: many(501, idOf) }, 'node_ids', 'too_many'],
    ['what is no id', { node_ids: [ID, 'lamp'] }, 'node_ids', 'uuid'],
    ['a version', { node_ids: [ID], version: 3 }, 'version', 'unknown_field'],
    ['a subtree', { node_ids: [ID], subtree: true }, 'subtree', 'unknown_field'],
  ])('of several pages is refused with %s', async (_, body, path, code) => {
    expect(await faultsOfBody(PublishNodes, body)).toMatchObject([{ path, code }]);
  });

  it('may name 500 pages, and nothing at all for one', async () => {
    expect(await faultsOfBody(PublishNodes, { node_ids: many(500, idOf) })).toEqual([]);
    expect(await faultsOfBody(PublishNode, {})).toEqual([]);
  });
});

describe('the end of a publication', () => {
  it.each<[string, object, string, string]>([
    ['an empty target', { redirect_to: '' }, 'redirect_to', 'too_short'],
    ['a target beyond its bounds', { redirect_to: `/${'a'.repeat(2_000)}` }, 'redirect_to', 'too_long'],
    ['null as its target', { redirect_to: null }, 'redirect_to', 'string'],
    ['a word as a flag', { gone: 'yes' }, 'gone', 'boolean'],
    ['no locale', { locales: [] }, 'locales', 'too_few'],
    ['a time', { at: '2030-01-01T00:00:00.000Z' }, 'at', 'unknown_field'],
  ])('is refused with %s', async (_, body, path, code) => {
    expect(await faultsOfBody(UnpublishNode, body)).toMatchObject([{ path, code }]);
  });
});

describe('a new preview link', () => {
  it.each<[string, object, string, string]>([
    ['59 seconds', { expires_in: 59 }, 'expires_in', 'too_small'],
    ['more than 30 days', { expires_in: 2_592_001 }, 'expires_in', 'too_large'],
    ['what is no page', { prv_node: 'lamp' }, 'prv_node', 'uuid'],
    ['a locale beyond its bounds', { prv_locale: 'a'.repeat(36) }, 'prv_locale', 'too_long'],
    ['the version 0', { prv_version: 0 }, 'prv_version', 'too_small'],
    ['an end of its own', { prv_expires: '2030-01-01T00:00:00.000Z' }, 'prv_expires', 'unknown_field'],
    ['uses', { prv_uses: 3 }, 'prv_uses', 'unknown_field'],
    ['a token', { prv_token_hash: 'a' }, 'prv_token_hash', 'unknown_field'],
  ])('is refused with %s', async (_, body, path, code) => {
    expect(await faultsOfBody(CreatePreviewLink, body)).toMatchObject([{ path, code }]);
  });
});

describe('a new redirect', () => {
  it.each<[string, object, string, string]>([
    ['no path', { red_from: undefined }, 'red_from', 'required'],
    ['an empty path', { red_from: '' }, 'red_from', 'too_short'],
    ['a path beyond its bounds', { red_from: `/${'a'.repeat(2_000)}` }, 'red_from', 'too_long'],
    ['a target beyond its bounds', { red_to: `/${'a'.repeat(2_000)}` }, 'red_to', 'too_long'],
    ['what is no page', { red_node: 'lamp' }, 'red_node', 'uuid'],
    ['a word as its status', { red_status: 'moved' }, 'red_status', 'integer'],
    ['a kind of its own', { red_kind: 'auto' }, 'red_kind', 'unknown_field'],
  ])('is refused with %s', async (_, more, path, code) => {
    expect(await faultsOfBody(CreateRedirect, { red_from: '/a', ...more })).toMatchObject([{ path, code }]);
  });
});

describe('a list', () => {
  it.each<[string, Parameters<typeof faultsOfQuery>[0], string, string, string]>([
    ['schedules of another status', ListSchedules, 'sch_status=over', 'sch_status', 'choice'],
    ['schedules at a time that is none', ListSchedules, 'sch_at=soon', 'sch_at', 'date_time'],
    ['schedules by what they froze', ListSchedules, 'sch_versions=a', 'sch_versions', 'unknown_field'],
    ['preview links by their token', ListPreviewLinks, 'prv_token_hash=a', 'prv_token_hash', 'unknown_field'],
    ['redirects of another kind', ListRedirects, 'red_kind=made', 'red_kind', 'choice'],
    ['no redirects', ListRedirects, 'limit=0', 'limit', 'too_small'],
  ])('of %s is refused', async (_, type, query, path, code) => {
    expect(await faultsOfQuery(type, query)).toMatchObject([{ path, code }]);
  });
});
