import { faultsOfBody, faultsOfQuery } from '@atrium/platform/testing';
import { ChangeSocialPost, CreateSocialPost, RetrySocialPost, ScheduleSocialPost } from './post-bodies.dto';
import { ListSocialPosts } from './posts.dto';

const ID = '018f4e9c-0000-7000-8000-000000000001';
const many = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe('a post in a request', () => {
  it('may be empty, or have everything', async () => {
    expect(await faultsOfBody(CreateSocialPost, {})).toEqual([]);
    expect(
      await faultsOfBody(CreateSocialPost, {
        ...{
          sp_title: 'A',
          sp_text: '',
          sp_targets: [ID],
          sp_timezone: 'UTC',
          sp_campaign: 'c',
          sp_labels: ['l'],
          sp_acl: {},
          sp_metadata: {},
        },
        ...{
          sp_files: [{ file_id: ID, alt: 'A', title: null }],
          sp_link: { url: 'https://example.com', image: ID },
          sp_utm: { source: 's' },
        },
        variants: [{ spv_target: ID, spv_text: null, spv_files: null, spv_link: null, spv_visibility: 'connections', spv_reshare: false }],
        ...{ sp_source: { kind: 'file', ref: ID }, schedule_at: '2026-12-01T10:00:00Z' },
      }),
    ).toEqual([]);
  });

  it.each<[string, object, string, string]>([
    ['a text of 10,001 characters', { sp_text: 'x'.repeat(10_001) }, 'sp_text', 'too_long'],
    ['21 files', { sp_files: many(21, { file_id: ID }) }, 'sp_files', 'too_many'],
    ['a file without an id', { sp_files: [{ alt: 'A' }] }, 'sp_files[0].file_id', 'required'],
    ['an alternative text of 4,087 characters', { sp_files: [{ file_id: ID, alt: 'x'.repeat(4_087) }] }, 'sp_files[0].alt', 'too_long'],
    [
      'a title of a link of 401 characters',
      { sp_link: { url: 'https://example.com', title: 'x'.repeat(401) } },
      'sp_link.title',
      'too_long',
    ],
    ['a link without an address', { sp_link: { title: 'A' } }, 'sp_link.url', 'required'],
    ['21 targets', { sp_targets: many(21, ID) }, 'sp_targets', 'too_many'],
    ['a target that is no id', { sp_targets: ['x'] }, 'sp_targets', 'uuid'],
    ['21 labels', { sp_labels: many(21, 'a') }, 'sp_labels', 'too_many'],
    ['a campaign of 101 characters', { sp_campaign: 'x'.repeat(101) }, 'sp_campaign', 'too_long'],
    ['an unknown visibility', { variants: [{ spv_target: ID, spv_visibility: 'secret' }] }, 'variants[0].spv_visibility', 'choice'],
    ['a variant without a target', { variants: [{ spv_text: 'x' }] }, 'variants[0].spv_target', 'required'],
    ['an unknown origin', { sp_source: { kind: 'mail', ref: null } }, 'sp_source.kind', 'choice'],
    ['a time that is none', { schedule_at: 'tomorrow' }, 'schedule_at', 'date_time'],
    ['a state', { sp_state: 'published' }, 'sp_state', 'unknown_field'],
    ['a control character', { sp_text: 'a\u0000b' }, 'sp_text', 'characters'],
  ])('is refused with %s', async (_, body, path, code) =>
    expect(await faultsOfBody(CreateSocialPost, body)).toMatchObject([{ path, code }]),
  );

  it('is not scheduled by a change', async () =>
    expect(await faultsOfBody(ChangeSocialPost, { schedule_at: '2026-12-01T10:00:00Z' })).toMatchObject([
      { path: 'schedule_at', code: 'unknown_field' },
    ]));
});

it.each<[string, object, string, string]>([
  ['a time zone without a name', { sp_timezone: '' }, 'sp_timezone', 'too_short'],
  ['a word for next_slot', { next_slot: 'yes' }, 'next_slot', 'boolean'],
])('a schedule is refused with %s', async (_, body, path, code) =>
  expect(await faultsOfBody(ScheduleSocialPost, body)).toMatchObject([{ path, code }]),
);

it('a retry names variants, or all of them', async () => {
  expect(await faultsOfBody(RetrySocialPost, {})).toEqual([]);
  expect(await faultsOfBody(RetrySocialPost, { variants: [] })).toMatchObject([{ path: 'variants', code: 'too_few' }]);
});

it('a list is narrowed by several states, targets and labels', async () => {
  expect(
    await faultsOfQuery(
      ListSocialPosts,
      `sp_state=draft&sp_state=failed&sp_targets=${ID}&sp_labels=a&sp_created=2026-01-01&sort=-sp_updated`,
    ),
  ).toEqual([]);
  expect(await faultsOfQuery(ListSocialPosts, 'sp_targets=x')).toMatchObject([{ path: 'sp_targets', code: 'uuid' }]);
  expect(await faultsOfQuery(ListSocialPosts, 'sp_platform=x')).toMatchObject([{ path: 'sp_platform', code: 'choice' }]);
});
