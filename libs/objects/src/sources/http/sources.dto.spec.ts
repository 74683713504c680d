import { newId } from '@atrium/platform/kernel';
import { faultsOfBody } from '@atrium/platform/testing';
import { CreateObjectSource, SyncObjectSource } from './sources.dto';

const MAPPING = { external_id: { path: '$.id' }, name: { path: '$.name' } };
const BODY = {
  osr_name: 'Shop',
  osr_kind: 'http_json',
  osr_form: newId(),
  osr_config: { url: 'https://shop.example.com/lamps' },
  osr_mapping: MAPPING,
};

describe('a new object source', () => {
  it.each<[string, object, string, string]>([
    ['a kind that comes later', { osr_kind: 'push' }, 'osr_kind', 'choice'],
    ['an unknown kind', { osr_kind: 'airtable' }, 'osr_kind', 'choice'],
    ['an empty name', { osr_name: '' }, 'osr_name', 'too_short'],
    ['an unknown mode', { osr_mode: 'incremental' }, 'osr_mode', 'choice'],
    ['an unknown answer to conflicts', { osr_conflict: 'ask' }, 'osr_conflict', 'choice'],
    ['no object to delete at most', { osr_delete_limit: 0 }, 'osr_delete_limit', 'too_small'],
    ['more than all objects to delete', { osr_delete_limit: 101 }, 'osr_delete_limit', 'too_large'],
    ['a cursor', { osr_cursor: 'x' }, 'osr_cursor', 'unknown_field'],
  ])('is refused with %s', async (_, more, path, code) => {
    expect(await faultsOfBody(CreateObjectSource, { ...BODY, ...more })).toMatchObject([{ path, code }]);
  });
});

describe('a sync', () => {
  it.each<[string, object, string, string]>([
    ['the wish for all', { full: true }, 'full', 'unknown_field'],
    ['a dry run', { dry_run: true }, 'dry_run', 'unknown_field'],
  ])('is refused with %s', async (_, body, path, code) => {
    expect(await faultsOfBody(SyncObjectSource, body)).toMatchObject([{ path, code }]);
  });
});
