import { isExtended, isKept, ONE_VERSION_MS, type NewestVersion, type VersionChange } from './page-version';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const newest = (more: Partial<NewestVersion> = {}): NewestVersion => ({
  ver_id: 'v1',
  ver_number: 1,
  ver_kind: 'saved',
  ver_hash: 'h1',
  ver_note: null,
  ver_pinned: false,
  ver_created: new Date(NOW.getTime() - ONE_VERSION_MS + 1).toISOString(),
  ver_created_by: 'ada',
  ...more,
});
const save = (more: Partial<VersionChange> = {}): VersionChange => ({ node_id: 'n', kind: 'saved', locales: ['en'], ...more });
const by = (user: string | null) => ({ now: NOW, by: user });

describe('the newest version', () => {
  it.each<[string, Partial<NewestVersion>, Partial<VersionChange>, string | null, boolean]>([
    ['goes on with a save of the same person', {}, {}, 'ada', true],
    ['takes the note of a later save', {}, { note: 'New' }, 'ada', true],
    ['goes on without a note after one with a note', { ver_note: 'Old' }, {}, 'ada', true],
    ['ends where a note would replace another', { ver_note: 'Old' }, { note: 'New' }, 'ada', false],
    ['ends with a save of somebody else', {}, {}, 'grace', false],
    ['ends with a save of nobody', { ver_created_by: null }, {}, null, false],
    ['ends after ten minutes', { ver_created: new Date(NOW.getTime() - ONE_VERSION_MS).toISOString() }, {}, 'ada', false],
    ['ends where something refers to it', { ver_pinned: true }, {}, 'ada', false],
    ['ends where it was published', { ver_kind: 'published' }, {}, 'ada', false],
    ['ends with a publication', {}, { kind: 'published' }, 'ada', false],
  ])('%s', (_, version, change, user, expected) => {
    expect(isExtended(newest(version), save(change), by(user))).toBe(expected);
  });

  it('keeps a state that was saved or published already, and no other', () => {
    expect(isKept(newest(), 'h1', { kind: 'saved' })).toBe(true);
    expect(isKept(newest(), 'h2', { kind: 'saved' })).toBe(false);
    expect(isKept(newest(), 'h1', { kind: 'published' })).toBe(false);
    expect(isKept(newest({ ver_kind: 'published' }), 'h1', { kind: 'published' })).toBe(true);
    expect(isKept(newest({ ver_kind: 'published' }), 'h1', { kind: 'saved' })).toBe(true);
  });
});
