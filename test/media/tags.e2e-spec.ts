import { newId } from '@atrium/platform/kernel';
import type { Member, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { endedJob, foundBy, makeGroup, makeTag, note, notes, setTags, tagNamed, tagsOf } from './tagging';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let owner: Member;
let editor: Member;
let viewer: Member;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  [ours, theirs] = [await api.workspace(['module-documents']), await api.workspace()];
  owner = ours.owner;
  [editor, viewer] = [await ours.member('editor'), await ours.member('viewer')];
}, 120_000);
afterAll(() => api.close());

const historyOf = async (file_id: string): Promise<{ fh_action: string; fh_details: Record<string, unknown> }[]> =>
  (await owner.client.get(`/files/${file_id}/history?fh_action=tagged`).expect(200)).body.data as {
    fh_action: string;
    fh_details: Record<string, unknown>;
  }[];

describe('the tags of a file', () => {
  it('[media 4] are set, added to and taken off in bulk; synonyms resolve, closed groups refuse with a list, merging re-tags, tags filter by AND and OR, an emptied group of documents goes while one of the library stays', async () => {
    const { client } = editor;
    const [first, second, third] = (await notes(client, 3)) as [string, string, string];
    await makeGroup(owner.client, { mtg_name: 'Season', mtg_closed: true, mtg_multiple: false });
    const season = (await owner.client.get('/admin/media-tag-groups?mtg_name=Season').expect(200)).body.data[0].mtg_id as string;
    await makeTag(client, { mt_group: season, mt_value: 'Summer', mt_synonyms: ['Sommer'] });
    await makeTag(client, { mt_group: season, mt_value: 'Winter' });

    const set = await setTags(client, first, { Place: ['Harbour', '  Old   town '], Season: ['sommer'] }).expect(200);
    expect(set.body).toMatchObject({ file_id: first, media_tags: { Place: ['Harbour', 'Old town'], Season: ['Summer'] } });
    expect(set.headers.etag).toMatch(/^"\d+"$/);
    const refused = await setTags(client, first, { Season: ['Spring'] }).expect(400);
    expect(refused.body).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'media_tags.Season[0]', code: 'choice', message: expect.stringContaining('Summer, Winter') }],
    });
    expect((await setTags(client, first, { Season: ['Summer', 'Winter'] }).expect(400)).body.errors[0]).toMatchObject({
      path: 'media_tags.Season',
      code: 'single',
    });
    expect(await tagsOf(client, first)).toEqual({ Place: ['Harbour', 'Old town'], Season: ['Summer'] });

    const foreign = await note(theirs.owner.client);
    const bulk = await client
      .post('/files/actions/media-tags', {
        file_ids: [first, second, third, foreign, newId()],
        add: { Place: ['Beach'], Season: ['Winter'] },
        remove: { Place: ['old TOWN'], Nothing: ['here'] },
      })
      .expect(200);
    expect(bulk.body).toEqual({ updated: 3, skipped: 2 });
    expect(await tagsOf(client, first)).toEqual({ Place: ['Beach', 'Harbour'], Season: ['Winter'] });
    expect(await tagsOf(client, second)).toEqual({ Place: ['Beach'], Season: ['Winter'] });
    expect(
      (await client.post('/files/actions/media-tags', { file_ids: [first, second], add: { Place: ['beach'] } }).expect(200)).body,
    ).toEqual({ updated: 0, skipped: 0 });
    expect((await historyOf(first))[0]).toMatchObject({
      fh_details: { added: { Place: ['Beach'], Season: ['Winter'] }, removed: { Place: ['Old town'], Season: ['Summer'] } },
    });

    const ids = (...files: string[]): string[] => files.sort();
    const both = {
      field: 'tag',
      op: 'has_all',
      value: [
        { group: 'place', value: 'HARBOUR' },
        { group: 'Place', value: 'Beach' },
      ],
    };
    expect(await foundBy(client, { where: both })).toEqual([first]);
    expect(
      await foundBy(client, {
        where: {
          field: 'tag',
          op: 'has_any',
          value: [
            { group: 'Place', value: 'Harbour' },
            { group: 'Season', value: 'winter' },
          ],
        },
      }),
    ).toEqual(ids(first, second, third));
    expect(
      await foundBy(client, {
        where: {
          all: [
            { field: 'tag', op: 'has_any', value: { group: 'Season' } },
            { field: 'tag', op: 'has_none', value: { group: 'Place', value: 'Harbour' } },
          ],
        },
      }),
    ).toEqual(ids(second, third));
    expect(await foundBy(client, { where: { all: [{ field: 'tag', op: 'exists' }, { not: both }] } })).toEqual(ids(second, third));
    expect(await foundBy(client, { where: { field: 'tag', op: 'has_any', value: { group: 'Season', value: 'Sommer' } } })).toEqual([]);
    expect(await foundBy(client, { text: 'harbour' })).toEqual([first]);

    const [beach, harbour] = [await tagNamed(client, 'Beach'), await tagNamed(client, 'Harbour')];
    const merged = await client.post(`/media-tags/${beach.mt_id}/merge`, { into: harbour.mt_id }).expect(200);
    expect(merged.body).toMatchObject({
      mt_id: harbour.mt_id,
      mt_value: 'Harbour',
      mt_synonyms: ['Beach'],
      mt_file_count: 3,
      mt_group_name: 'Place',
    });
    expect(await tagsOf(client, third)).toEqual({ Place: ['Harbour'], Season: ['Winter'] });
    await setTags(client, third, { Place: ['beach'] }).expect(200);
    expect(await tagsOf(client, third)).toEqual({ Place: ['Harbour'] });
    expect(await foundBy(client, { where: { field: 'tag', op: 'has_any', value: { group: 'Place', value: 'beach' } } })).toEqual(
      ids(first, second, third),
    );

    const groups = async (): Promise<string[]> =>
      ((await owner.client.get('/admin/media-tag-groups').expect(200)).body.data as { mtg_name: string; mtg_scope: string }[]).map(
        ({ mtg_name, mtg_scope }) => `${mtg_scope}:${mtg_name}`,
      );
    const document = await note(owner.client, 'docs');
    await owner.client.post('/files/actions/media-tags', { file_ids: [document], add: { Kind: ['Contract'] } }).expect(200);
    expect(await groups()).toEqual(expect.arrayContaining(['media:Place', 'docs:Kind']));
    expect(
      await foundBy(owner.client, { where: { field: 'tag', op: 'has_any', value: { group: 'Kind', value: 'contract' } } }, 'docs'),
    ).toEqual([document]);
    await owner.client.post('/files/actions/media-tags', { file_ids: [document], remove: { Kind: ['Contract'] } }).expect(200);
    await owner.client.post('/files/actions/media-tags', { file_ids: [first, second, third], remove: { Place: ['Harbour'] } }).expect(200);
    expect(await groups()).toContain('media:Place');
    expect(await groups()).not.toContain('docs:Kind');
  });

  it('are for those who may tag or edit, on files they see, in words that can be kept', async () => {
    const file = await note(editor.client);
    expect((await setTags(viewer.client, file, { Place: ['X'] }).expect(403)).body.detail).toMatch(/media:tag/);
    await viewer.client.post('/files/actions/media-tags', { file_ids: [file], add: { Place: ['X'] } }).expect(403);
    const tagger = await ours.member('owner', ['media:view', 'media:tag']);
    await setTags(tagger.client, file, { Place: ['Quay'] }).expect(200);
    const document = await note(owner.client, 'docs');
    expect(
      (await tagger.client.post('/files/actions/media-tags', { file_ids: [document], add: { Place: ['X'] } }).expect(200)).body,
    ).toEqual({ updated: 0, skipped: 1 });
    await setTags(theirs.owner.client, file, { Place: ['X'] }).expect(404);
    for (const [media_tags, code] of [
      [{ 'A:B': ['x'] }, 'characters'],
      [{ Place: ['y'.repeat(121)] }, 'too_long'],
      [{ Place: ['a\u0007b'] }, 'characters'],
      [{ Place: 'x' }, 'array'],
      [{ ' ': ['x'] }, 'too_short'],
      [{ Place: [' '] }, 'too_short'],
    ] as const) {
      expect((await setTags(editor.client, file, media_tags).expect(400)).body.errors[0]).toMatchObject({ code });
    }
    await editor.client.post('/files/actions/media-tags', { file_ids: [], add: { Place: ['x'] } }).expect(400);
    await editor.client.post('/files/actions/media-tags', { file_ids: [file] }).expect(400);
    await editor.client.put(`/files/${file}/media-tags`, { media_tags: {} }).set('If-Match', '"999"').expect(412);
    await editor.client.put(`/files/${file}/media-tags`, { media_tags: {} }).expect(200);
  });

  it('begin no group where the workspace leaves that to those who manage groups', async () => {
    const { client } = theirs.owner;
    const plain = await theirs.member('editor');
    const file = await note(client);
    await client.patch('/admin/settings', { ws_options: { tags_open: false } }).expect(200);
    expect((await setTags(plain.client, file, { Fresh: ['x'] }).expect(400)).body.errors[0]).toMatchObject({
      path: 'media_tags.Fresh',
      code: 'reference',
    });
    await setTags(client, file, { Fresh: ['x'] }).expect(200);
    expect((await setTags(plain.client, file, { Fresh: ['x', 'y'] }).expect(200)).body.media_tags).toEqual({ Fresh: ['x', 'y'] });
  });

  it('of more than 500 files are changed in the background, and all of it is counted', async () => {
    const [one, two] = (await notes(editor.client, 2)) as [string, string];
    const file_ids = [one, two, ...Array.from({ length: 510 }, () => newId())];
    const answer = await editor.client.post('/files/actions/media-tags', { file_ids, add: { Bulk: ['Many'] } }).expect(202);
    expect(answer.body).toMatchObject({ job_kind: 'media.tags', total: 512 });
    const job = await endedJob(editor.client, answer.headers.location as string);
    expect(job).toMatchObject({ status: 'partial', done: 2, failed: 510 });
    expect(job.errors[0]).toMatchObject({ code: 'not_found' });
    expect((await tagNamed(editor.client, 'Many')).mt_file_count).toBe(2);
    await owner.client.delete(`/files/${one}`).expect(204);
    expect((await tagNamed(editor.client, 'Many')).mt_file_count).toBe(1);
    await owner.client.post(`/files/${one}/restore`).expect(200);
    expect((await tagNamed(editor.client, 'Many')).mt_file_count).toBe(2);
    expect(await tagsOf(editor.client, one)).toEqual({ Bulk: ['Many'] });
  });

  it('come with an upload, and stay behind when the file leaves the library', async () => {
    const { client } = editor;
    const opened = await client
      .post('/uploads', { file_repo: { library: ['media'] }, file_name: 'tagged.txt', file_size: 2, media_tags: { Place: ['Pier'] } })
      .expect(201);
    await fetch(opened.body.upl_url as string, { method: 'PUT', headers: opened.body.upl_headers as Record<string, string>, body: 'hi' });
    const { file_id } = (await client.post(`/uploads/${opened.body.upl_id as string}/finalize`).expect(201)).body as { file_id: string };
    expect(await tagsOf(client, file_id)).toEqual({ Place: ['Pier'] });
    await client
      .post('/uploads', { file_repo: { library: ['media'] }, file_name: 'x.txt', file_size: 2, media_tags: { Season: ['Nonsense'] } })
      .expect(400);
    await owner.client.post(`/files/${file_id}/move`, { file_repo: { library: ['docs'] } }).expect(200);
    expect((await tagNamed(client, 'Pier')).mt_file_count).toBe(0);
    expect((await historyOf(file_id))[0]).toMatchObject({ fh_details: { removed: { Place: ['Pier'] } } });
  });

  it('by two people at once end in one tag each, not in a fault', async () => {
    const files = await notes(editor.client, 6);
    const answers = await Promise.all(files.map((file) => setTags(editor.client, file, { Race: ['Fast', 'Faster'] })));
    expect(answers.map(({ status }) => status)).toEqual(files.map(() => 200));
    expect((await tagNamed(editor.client, 'Faster')).mt_file_count).toBe(6);
    expect((await owner.client.get('/admin/media-tag-groups?mtg_name=Race').expect(200)).body.data).toMatchObject([
      { mtg_tag_count: 2, mtg_file_count: 6 },
    ]);
  });
});

describe('tags and their groups', () => {
  it('keep every word once in a group, and nest without a circle', async () => {
    const group = await makeGroup(owner.client, { mtg_name: 'Animal', mtg_color: '#aabbcc' });
    const bird = await makeTag(editor.client, { mt_group: group, mt_value: 'Bird', mt_synonyms: ['Fowl', 'bird'] });
    expect((await editor.client.get('/media-tags?q=FOW').expect(200)).body.data).toMatchObject([{ mt_id: bird, mt_synonyms: ['Fowl'] }]);
    expect((await editor.client.get('/media-tags?mt_value=fow').expect(200)).body.data).toEqual([]);
    for (const body of [{ mt_value: 'BIRD' }, { mt_value: 'fowl' }, { mt_value: 'Other', mt_synonyms: ['Bird'] }])
      expect((await editor.client.post('/media-tags', { mt_group: group, ...body }).expect(409)).body.code).toBe('already_exists');
    const gull = await makeTag(editor.client, { mt_group: group, mt_value: 'Gull', mt_parent: bird });
    expect((await editor.client.get(`/media-tags?mt_parent=${bird}`).expect(200)).body.data).toMatchObject([{ mt_id: gull }]);
    expect((await editor.client.patch(`/media-tags/${bird}`, { mt_parent: gull }).expect(409)).body.code).toBe('invalid_move');
    const elsewhere = await makeTag(theirs.owner.client, {
      mt_group: await makeGroup(theirs.owner.client, { mtg_name: 'Animal' }),
      mt_value: 'Cat',
    });
    const bad = async (body: object): Promise<string> =>
      (await editor.client.post('/media-tags', { mt_group: group, mt_value: 'New', ...body }).expect(400)).body.errors[0].code as string;
    expect([
      await bad({ mt_parent: elsewhere }),
      await bad({ mt_parent: newId() }),
      await bad({ mt_group: newId() }),
      await bad({ mt_value: 'z'.repeat(121) }),
    ]).toEqual(['reference', 'reference', 'reference', 'too_long']);
    let below = gull;
    for (const value of ['L3', 'L4', 'L5']) below = await makeTag(editor.client, { mt_group: group, mt_value: value, mt_parent: below });
    await editor.client.post('/media-tags', { mt_group: group, mt_value: 'L6', mt_parent: below }).expect(409);
    await editor.client.patch(`/media-tags/${elsewhere}`, { mt_value: 'Dog' }).expect(404);
    await viewer.client.post('/media-tags', { mt_group: group, mt_value: 'Fish' }).expect(403);
  });

  it('are renamed and deleted with their files, which tell of it', async () => {
    const file = await note(editor.client);
    await setTags(editor.client, file, { Colour: ['Rde', 'Blue'] }).expect(200);
    const red = await tagNamed(editor.client, 'Rde');
    await editor.client.patch(`/media-tags/${red.mt_id}`, { mt_value: 'Red' }).expect(200);
    expect(await tagsOf(editor.client, file)).toEqual({ Colour: ['Blue', 'Red'] });
    await editor.client.delete(`/media-tags/${red.mt_id}`).expect(204);
    expect(await tagsOf(editor.client, file)).toEqual({ Colour: ['Blue'] });
    expect((await historyOf(file))[0]).toMatchObject({ fh_details: { removed: { Colour: ['Red'] } } });
    await editor.client.delete(`/media-tags/${red.mt_id}`).expect(404);
    await viewer.client.delete(`/media-tags/${red.mt_id}`).expect(403);
  });

  it('are managed by those who may: one name each, single only where files are, deleted with tags only when wanted', async () => {
    const { client } = owner;
    const group = await makeGroup(client, { mtg_name: 'Mood', mtg_description: 'How it feels', mtg_required_for: ['approved'] });
    expect((await client.post('/admin/media-tag-groups', { mtg_name: 'mood' }).expect(409)).body.code).toBe('already_exists');
    await client.post('/admin/media-tag-groups', { mtg_name: 'mood', mtg_scope: 'docs' }).expect(201);
    for (const body of [
      { mtg_name: 'a:b' },
      { mtg_name: '' },
      { mtg_name: 'X', mtg_color: 'red' },
      { mtg_name: 'X', mtg_required_for: ['No!'] },
      { mtg_name: 'X', mtg_rules: [{ query_search: { where: { field: 'nonsense', op: 'eq', value: 1 } }, value: 'v' }] },
    ])
      await client.post('/admin/media-tag-groups', body).expect(400);
    const file = await note(editor.client);
    await setTags(editor.client, file, { Mood: ['Calm', 'Bright'] }).expect(200);
    expect((await client.patch(`/admin/media-tag-groups/${group}`, { mtg_multiple: false }).expect(409)).body).toMatchObject({
      code: 'in_use',
      detail: expect.stringContaining('1 file'),
    });
    await setTags(editor.client, file, { Mood: ['Calm'] }).expect(200);
    await client.patch(`/admin/media-tag-groups/${group}`, { mtg_multiple: false }).expect(200);
    expect((await client.delete(`/admin/media-tag-groups/${group}`).expect(409)).body.code).toBe('in_use');
    const read = await client.get(`/admin/media-tag-groups/${group}`).expect(200);
    expect(read.body).toMatchObject({ mtg_tag_count: 2, mtg_file_count: 1 });
    await client.delete(`/admin/media-tag-groups/${group}?force=true`).set('If-Match', '"99"').expect(412);
    await client.delete(`/admin/media-tag-groups/${group}?force=true`).expect(204);
    expect(await tagsOf(editor.client, file)).toEqual({});
    await client.get(`/admin/media-tag-groups/${group}`).expect(404);
    await editor.client.get('/admin/media-tag-groups').expect(403);
    await theirs.owner.client.get(`/admin/media-tag-groups/${await makeGroup(client, { mtg_name: 'Ours' })}`).expect(404);
  });

  it('are put in another order', async () => {
    const { client } = theirs.owner;
    const [first, second] = [await makeGroup(client, { mtg_name: 'First' }), await makeGroup(client, { mtg_name: 'Second' })];
    await client.patch('/admin/media-tag-groups/order', { ids: [second, first] }).expect(204);
    const listed = ((await client.get('/admin/media-tag-groups').expect(200)).body.data as { mtg_id: string }[]).map(
      ({ mtg_id }) => mtg_id,
    );
    expect(listed.slice(0, 2)).toEqual([second, first]);
    await client.patch('/admin/media-tag-groups/order', { ids: [first, newId()] }).expect(400);
    await client
      .patch('/admin/media-tag-groups/order', { ids: [first, await makeGroup(owner.client, { mtg_name: 'Foreign' })] })
      .expect(400);
  });
});

describe('tags from another workspace', () => {
  it('are not there: ids answer 404 or 400, files are skipped, and nothing changes here', async () => {
    const file = await note(editor.client);
    await setTags(editor.client, file, { Kept: ['Here'] }).expect(200);
    const { mt_id, mt_group } = await tagNamed(editor.client, 'Here');
    const { client } = theirs.owner;
    expect((await client.get(`/media-tags?mt_group=${mt_group}`).expect(200)).body.data).toEqual([]);
    expect((await client.get('/media-tags?q=Here').expect(200)).body.data).toEqual([]);
    await client.post('/media-tags', { mt_group, mt_value: 'Foreign' }).expect(400);
    await client.delete(`/media-tags/${mt_id}`).expect(404);
    await client.post(`/media-tags/${mt_id}/merge`, { into: mt_id }).expect(404);
    await client.patch(`/admin/media-tag-groups/${mt_group}`, { mtg_name: 'Taken' }).expect(404);
    await client.delete(`/admin/media-tag-groups/${mt_group}?force=true`).expect(404);
    await client.post(`/admin/media-tag-groups/${mt_group}/apply-rules`).expect(404);
    expect((await client.post('/files/actions/media-tags', { file_ids: [file], remove: { Kept: ['Here'] } }).expect(200)).body).toEqual({
      updated: 0,
      skipped: 1,
    });
    const theirTag = await makeTag(client, { mt_group: await makeGroup(client, { mtg_name: 'Elsewhere' }), mt_value: 'There' });
    expect((await editor.client.post(`/media-tags/${mt_id}/merge`, { into: theirTag }).expect(400)).body.errors[0]).toMatchObject({
      path: 'into',
      code: 'reference',
    });
    expect(await tagsOf(editor.client, file)).toEqual({ Kept: ['Here'] });
  });

  it('and tags that were put aside are given to no further file', async () => {
    const [bearing, fresh] = (await notes(editor.client, 2)) as [string, string];
    await setTags(editor.client, bearing, { Aside: ['Old'] }).expect(200);
    const { mt_id } = await tagNamed(editor.client, 'Old');
    await editor.client.patch(`/media-tags/${mt_id}`, { mt_active: false }).expect(200);
    expect((await setTags(editor.client, fresh, { Aside: ['Old'] }).expect(400)).body.errors[0]).toMatchObject({ code: 'inactive' });
    await setTags(editor.client, bearing, { Aside: ['Old', 'New'] }).expect(200);
  });
});

describe('rules of a group', () => {
  it('tag files when they are ready and when asked for, and never against people', async () => {
    const { client } = owner;
    const before = await note(client, 'media', 'sunrise-1.md');
    const group = await makeGroup(client, {
      mtg_name: 'Theme',
      mtg_rules: [{ query_search: { where: { field: 'file_name', op: 'contains', value: 'sunrise' } }, value: 'Sunrise' }],
    });
    const started = await client.post(`/admin/media-tag-groups/${group}/apply-rules`).expect(202);
    expect(await endedJob(client, started.headers.location as string)).toMatchObject({ status: 'completed', done: 1 });
    expect(await tagsOf(client, before)).toEqual({ Theme: ['Sunrise'] });
    expect((await historyOf(before))[0]).toMatchObject({ fh_details: { added: { Theme: ['Sunrise'] }, source: 'rule' } });
    await setTags(client, before, {}).expect(200);
    await endedJob(client, (await client.post(`/admin/media-tag-groups/${group}/apply-rules`).expect(202)).headers.location as string);
    expect(await tagsOf(client, before)).toEqual({});

    const after = await note(client, 'media', 'sunrise-2.md');
    const other = await note(client, 'media', 'evening.md');
    await expectTags(after, { Theme: ['Sunrise'] });
    expect(await tagsOf(client, other)).toEqual({});
    await client.post(`/admin/media-tag-groups/${await makeGroup(client, { mtg_name: 'Ruleless' })}/apply-rules`).expect(409);
  });
});

async function expectTags(file_id: string, tags: object): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const found = await tagsOf(owner.client, file_id);
    if (JSON.stringify(found) === JSON.stringify(tags) || attempt > 100) return expect(found).toEqual(tags);
  }
}
