import type { INestApplicationContext } from '@nestjs/common';
import { ConsentSources, ReleaseRules, StatusEffects, type Withheld } from '@atrium/media';
import { Database, inWorkspace, requireScope, sql } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { ScheduleHost } from '@atrium/platform/messaging';
import { drawPicture, type Member, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { settled, upload } from '../files/uploading';
import { publicationOf, published, statusAt } from '../distribution/publishing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { foundBy, makeGroup, note, notes, setTags, tagsOf } from './tagging';

let api: RunningApi;
let worker: INestApplicationContext;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let owner: Member;
let editor: Member;
let manager: Member;
/** What was withheld of files of `ours` and of `theirs`, once it was committed: looks go through every workspace of the shared database. */
const withheldOf = new Map<string, Withheld[]>();
let withheld: Withheld[];

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  worker = api.worker;
  [ours, theirs] = [await api.workspace(['module-documents', 'module-publication']), await api.workspace()];
  owner = ours.owner;
  [editor, manager] = [await ours.member('editor'), await ours.member('admin')];
  withheld = [];
  withheldOf.set(ours.tenant_id, withheld).set(theirs.tenant_id, []);
  for (const host of [api.app, worker]) {
    const db = host.get(Database, { strict: false });
    host.get(StatusEffects, { strict: false }).register({
      context: 'test',
      onWithheld: (told) => {
        const ofWorkspace = withheldOf.get(requireScope().tenant_id);
        db.current().afterCommit(() => void ofWorkspace?.push(told));
        return Promise.resolve();
      },
    });
  }
}, 120_000);
afterAll(() => api.close());

const STATES = [
  { key: 'draft', label: 'Draft', initial: true },
  { key: 'review', label: 'In review' },
  { key: 'approved', label: 'Approved', locks_edit: true, final: true },
  { key: 'barred', label: 'Barred', allows_publish: false, allows_share: false, allows_download: false },
];

const flow = (more: object = {}): { msf_name: string } & Record<string, unknown> => ({
  msf_name: 'Review',
  msf_scope: ['media'],
  msf_active: true,
  msf_states: STATES,
  msf_transitions: [
    { from: 'draft', to: 'review' },
    { from: 'review', to: 'approved', movers: { users: [manager.user_id] }, requires_comment: true },
    { from: 'review', to: 'draft' },
    { from: 'approved', to: 'review', movers: { permissions: ['admin:media-status'] } },
    { from: 'draft', to: 'barred' },
    { from: 'barred', to: 'draft' },
  ],
  remap: { active: 'draft', in_review: 'review', archived: 'barred' },
  ...more,
});

const move = (who: Member, file_ids: readonly string[], file_status: string, comment?: string): ReturnType<Member['client']['post']> =>
  who.client.post('/files/actions/status', { file_ids, file_status, ...(comment ? { comment } : {}) });

const statusOf = async (file_id: string): Promise<string> =>
  (await owner.client.get(`/files/${file_id}`).expect(200)).body.file_status as string;

describe('the flow that a workspace begins with', () => {
  it('is followed by library files, moves freely, and shows how a file came to its status', async () => {
    const { client } = theirs.owner;
    const [standard] = (await client.get('/admin/media-status-flows').expect(200)).body.data as {
      msf_id: string;
      msf_name: string;
      msf_counts: object;
    }[];
    expect(standard).toMatchObject({ msf_name: 'Standard', msf_active: true, msf_scope: ['media'] });
    const file = await note(client);
    await client
      .post('/files/actions/status', { file_ids: [file], file_status: 'in_review' })
      .expect(200, { data: [{ file_id: file, outcome: 'changed' }] });
    await client
      .post('/files/actions/status', { file_ids: [file], file_status: 'in_review' })
      .expect(200, { data: [{ file_id: file, outcome: 'unchanged' }] });
    const read = (await client.get(`/files/${file}/statuses`).expect(200)).body;
    expect(read).toMatchObject({
      file_status: 'in_review',
      state: { label: 'In review' },
      trail: [{ from: 'active', to: 'in_review', by: theirs.owner.user_id, comment: null }],
    });
    expect((read.next as { file_status: string }[]).map(({ file_status }) => file_status).sort()).toEqual([
      'active',
      'approved',
      'archived',
    ]);
    expect((await client.get(`/admin/media-status-flows/${standard?.msf_id}`).expect(200)).body.msf_counts).toMatchObject({
      in_review: 1,
      approved: 0,
    });
    await client.delete(`/admin/media-status-flows/${standard?.msf_id}`).expect(409);
    expect(await foundBy(client, { where: { field: 'file_status', op: 'eq', value: 'in_review' } })).toEqual([file]);
    expect(
      (await client.post('/files/actions/status', { file_ids: [file], file_status: 'nowhere' }).expect(400)).body.errors[0],
    ).toMatchObject({ path: 'file_status' });
    await api.stranger.get('/admin/media-status-flows').expect(401);
  });
});

describe('tags that a way of a flow asks for', () => {
  it('are those of a group whose name says the same, and a file is found by them however they are written', async () => {
    const { owner: mara } = await api.workspace();
    await makeGroup(mara.client, { mtg_name: 'Große Cafe\u0301s' });
    const asking = {
      msf_states: STATES.slice(0, 2),
      msf_transitions: [
        { from: 'draft', to: 'review', required_tags: ['GROSSE CAFÉS'] },
        { from: 'review', to: 'draft' },
      ],
      remap: { active: 'draft', in_review: 'review' },
    };
    await mara.client.post('/admin/media-status-flows', flow(asking)).expect(201);
    const file_id = await note(mara.client);
    const next = async (): Promise<object[]> => (await mara.client.get(`/files/${file_id}/statuses`).expect(200)).body.next as object[];
    expect(await next()).toEqual([expect.objectContaining({ file_status: 'review', missing_tags: ['Große Cafe\u0301s'] })]);
    expect((await move(mara, [file_id], 'review').expect(409)).body.detail).toContain('Große Cafe\u0301s');
    await setTags(mara.client, file_id, { 'grosse cafés': ['Straße'] }).expect(200);
    expect(await next()).toEqual([expect.objectContaining({ missing_tags: [] })]);
    await move(mara, [file_id], 'review').expect(200);
    expect(
      await foundBy(mara.client, { where: { field: 'tag', op: 'has_any', value: { group: 'GROSSE CAFE\u0301S', value: 'STRASSE' } } }),
    ).toEqual([file_id]);
    expect(await tagsOf(mara.client, file_id)).toEqual({ 'Große Cafe\u0301s': ['Straße'] });
  });
});

describe('a flow of a workspace of its own', () => {
  let file: string;
  let id: string;

  beforeAll(async () => {
    file = await note(editor.client);
    const left = await owner.client.post('/admin/media-status-flows', flow({ remap: {} })).expect(409);
    expect(left.body).toMatchObject({ code: 'in_use', detail: expect.stringContaining('active') });
    id = (await owner.client.post('/admin/media-status-flows', flow()).expect(201)).body.msf_id as string;
  });

  it('takes its repository over, and files along', async () => {
    expect(await statusOf(file)).toBe('draft');
    expect(await statusOf(await note(editor.client))).toBe('draft');
    const { data } = (await owner.client.get('/admin/media-status-flows?msf_active=true').expect(200)).body as {
      data: { msf_name: string }[];
    };
    expect(data.map(({ msf_name }) => msf_name)).toEqual(['Review']);
    const document = await note(owner.client, 'docs');
    expect(await statusOf(document)).toBe('active');
    await owner.client.post(`/files/${document}/move`, { file_repo: { library: ['media'] } }).expect(200);
    expect(await statusOf(document)).toBe('draft');
    await owner.client.post(`/files/${document}/move`, { file_repo: { library: ['docs'] } }).expect(200);
    expect(await statusOf(document)).toBe('active');
  });

  it('[media 5] lets those move who may: an editor is refused as a row, a manager is not, comments are asked for, a locked file takes no tags, of two callers one wins, a used state goes only with a remap, and a state that allows no publishing revokes what is published', async () => {
    await move(editor, [file], 'review').expect(200);
    const refused = await move(editor, [file], 'approved', 'fine').expect(403);
    expect(refused.body).toMatchObject({ code: 'permission_denied', errors: [{ path: 'file_ids[0]', code: 'permission_denied' }] });
    const beside = await note(editor.client);
    const mixed = (await move(editor, [file, beside], 'review').expect(200)).body.data as { outcome: string }[];
    expect(mixed.map(({ outcome }) => outcome)).toEqual(['unchanged', 'changed']);
    expect((await move(manager, [file], 'approved').expect(400)).body.errors[0]).toMatchObject({ path: 'comment', code: 'required' });
    await move(manager, [file], 'approved', 'Well done').expect(200, { data: [{ file_id: file, outcome: 'changed' }] });
    expect((await owner.client.get(`/files/${file}/statuses`).expect(200)).body.trail[0]).toMatchObject({
      from: 'review',
      to: 'approved',
      comment: 'Well done',
      by: manager.user_id,
    });

    expect((await setTags(editor.client, file, { Place: ['X'] }).expect(409)).body.code).toBe('invalid_state');
    await editor.client.put(`/files/${file}`, { file_summary: 'Changed' }).expect(409);
    await editor.client.put(`/files/${file}/content`, { content: 'other' }).expect(409);
    expect((await editor.client.post('/files/actions/media-tags', { file_ids: [file], add: { Place: ['X'] } }).expect(200)).body).toEqual({
      updated: 0,
      skipped: 1,
    });

    const raced = await note(editor.client);
    await move(editor, [raced], 'review').expect(200);
    const answers = await Promise.all([move(manager, [raced], 'approved', 'yes'), move(editor, [raced], 'draft')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(['approved', 'draft']).toContain(await statusOf(raced));

    const dropped = {
      msf_states: STATES.filter(({ key }) => key !== 'approved'),
      msf_transitions: [
        { from: 'draft', to: 'review' },
        { from: 'review', to: 'draft' },
        { from: 'draft', to: 'barred' },
      ],
    };
    expect(
      (await owner.client.put(`/admin/media-status-flows/${id}`, flow({ ...dropped, remap: undefined })).expect(409)).body,
    ).toMatchObject({ code: 'in_use', detail: expect.stringContaining('approved') });
    await owner.client.put(`/admin/media-status-flows/${id}`, flow({ ...dropped, remap: { approved: 'review' } })).expect(200);
    expect(await statusOf(file)).toBe('review');
    await owner.client.put(`/admin/media-status-flows/${id}`, flow()).expect(200);

    const picture = await upload(editor.client, 'public.png', await drawPicture({ width: 64, height: 48, format: 'png', seed: 9 }));
    await settled(editor.client, picture.file_id);
    const { pub_url } = await published(owner.client, picture.file_id);
    expect(await statusAt(pub_url)).toBe(200);
    await move(editor, [picture.file_id], 'barred').expect(200);
    expect((await publicationOf(owner.client, picture.file_id)).pub_state).toBe('revoked');
    expect(await statusAt(pub_url)).toBe(410);
    await owner.client.post(`/files/${picture.file_id}/publication`, { distribution: 'worldwide' }).expect(409);
    expect(
      (await owner.client.post('/share-links', { share_name: 'Barred', share_type: 'files', share_file_ids: [picture.file_id] })).status,
    ).toBe(409);
  });

  it('says of each file what became of it', async () => {
    const [one, two] = (await notes(editor.client, 2)) as [string, string];
    const foreign = await note(theirs.owner.client);
    const trashed = await note(editor.client);
    await owner.client.delete(`/files/${trashed}`).expect(204);
    await move(editor, [two], 'review').expect(200);
    const outcomes = (await move(editor, [one, two, foreign, trashed, newId()], 'review').expect(200)).body.data as {
      outcome: string;
      code?: string;
    }[];
    expect(outcomes.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['changed', undefined],
      ['unchanged', undefined],
      ['refused', 'not_found'],
      ['refused', 'not_found'],
      ['refused', 'not_found'],
    ]);
    expect((await move(editor, [foreign], 'review').expect(409)).body.code).toBe('invalid_state');
    await move(editor, [], 'review').expect(400);
    await (await ours.member('viewer')).client.post('/files/actions/status', { file_ids: [one], file_status: 'review' }).expect(403);
    await theirs.owner.client.get(`/files/${one}/statuses`).expect(404);
    expect(await statusOf(one)).toBe('review');
  });

  it('asks for tags before a state that needs them', async () => {
    await makeGroup(owner.client, { mtg_name: 'Subject', mtg_required_for: ['review'] });
    const untagged = await note(editor.client);
    expect((await move(editor, [untagged], 'review').expect(409)).body.detail).toContain('Subject');
    expect((await editor.client.get(`/files/${untagged}/statuses`).expect(200)).body.next).toContainEqual(
      expect.objectContaining({ file_status: 'review', missing_tags: ['Subject'] }),
    );
    await setTags(editor.client, untagged, { Subject: ['Boat'] }).expect(200);
    await move(editor, [untagged], 'review').expect(200);
    await owner.client
      .delete(
        `/admin/media-tag-groups/${(await owner.client.get('/admin/media-tag-groups?mtg_name=Subject').expect(200)).body.data[0].mtg_id as string}?force=true`,
      )
      .expect(204);
  });

  it('keeps files from being published, shared and downloaded, and notifies at once the contexts that show them', async () => {
    const picture = await upload(editor.client, 'barred.png', await drawPicture({ width: 64, height: 48, format: 'png', seed: 3 }));
    await settled(editor.client, picture.file_id);
    const plain = await ours.member('contributor', ['media:view', 'media:download']);
    await plain.client.get(`/files/${picture.file_id}/download-url`).expect(200);
    withheld.length = 0;
    await move(editor, [picture.file_id], 'barred').expect(200);
    expect(withheld).toEqual([
      { file_ids: [picture.file_id], uses: ['publish', 'share', 'download'], cause: 'status', reason: expect.stringContaining('Barred') },
    ]);
    await plain.client.get(`/files/${picture.file_id}/download-url`).expect(409);
    await plain.client.get(`/files/${picture.file_id}/image-data?replica=original`).expect(409);
    await plain.client.get(`/files/${picture.file_id}/image-data?replica=thumbnail`).expect(200);
    await plain.client.post('/files/actions/download', { file_ids: [picture.file_id] }).expect(409);
    await plain.client.post('/download-jobs', { file_ids: [picture.file_id] }).expect(409);
    await owner.client.get(`/files/${picture.file_id}/download-url`).expect(200);
    const rules = api.app.get(ReleaseRules, { strict: false });
    const db = api.app.get(Database, { strict: false });
    const refusal = await inWorkspace(ours.tenant_id, () => db.read(() => rules.findRefusals([picture.file_id, file], 'publish')));
    expect([...refusal]).toEqual([
      [picture.file_id, { code: 'invalid_state', cause: 'status', overridable: false, reason: expect.stringContaining('Barred') }],
    ]);
    await move(editor, [picture.file_id], 'draft').expect(200);
    await plain.client.get(`/files/${picture.file_id}/download-url`).expect(200);
  });
});

describe('a flow as it is put', () => {
  it.each([
    ['two initial states', { msf_states: [...STATES, { key: 'more', label: 'More', initial: true }] }, 'msf_states[4].initial'],
    ['no initial state', { msf_states: STATES.map((state) => ({ ...state, initial: false })) }, 'msf_states'],
    ['a state twice', { msf_states: [...STATES, { key: 'draft', label: 'Again' }] }, 'msf_states[4].key'],
    ['a state that nothing leads to', { msf_states: [...STATES, { key: 'island', label: 'Island' }] }, 'msf_states[4]'],
    ['a way to nowhere', { msf_transitions: [{ from: 'draft', to: 'moon' }] }, 'msf_transitions[0].to'],
    ['a key of another form', { msf_states: [...STATES, { key: 'No Way', label: 'x' }] }, 'msf_states[4].key'],
    [
      'a mover of nowhere',
      {
        msf_transitions: [
          { from: 'draft', to: 'review', movers: { users: [newId()] } },
          { from: 'draft', to: 'approved' },
          { from: 'draft', to: 'barred' },
        ],
      },
      'msf_transitions[0].movers.users[0]',
    ],
    [
      'a permission that is none',
      { msf_transitions: [{ from: 'draft', to: 'review', movers: { permissions: ['media:fly'] } }] },
      'msf_transitions[0].movers.permissions[0]',
    ],
    ['an unknown repository', { msf_scope: ['moon'] }, 'msf_scope[0]'],
    ['a single state', { msf_states: STATES.slice(0, 1), msf_transitions: [] }, 'msf_states'],
  ])('is refused with %s', async (_, wrong, path) => {
    const refused = await owner.client
      .post('/admin/media-status-flows', flow({ msf_name: 'Wrong', msf_active: false, ...wrong }))
      .expect(400);
    expect((refused.body.errors as { path: string }[]).map((fault) => fault.path.replaceAll(/\[(\d+)\]/g, '.$1'))).toContain(
      path.replaceAll(/\[(\d+)\]/g, '.$1'),
    );
  });

  it('has a name of its own, is made inactive and deleted, by those who may', async () => {
    const made = (await owner.client.post('/admin/media-status-flows', flow({ msf_name: 'Idle', msf_active: false })).expect(201)).body as {
      msf_id: string;
    };
    expect(
      (await owner.client.post('/admin/media-status-flows', flow({ msf_name: 'idle', msf_active: false })).expect(409)).body.code,
    ).toBe('already_exists');
    await owner.client
      .put(`/admin/media-status-flows/${made.msf_id}`, flow({ msf_name: 'Idle', msf_active: false }))
      .set('If-Match', '"99"')
      .expect(412);
    await theirs.owner.client.get(`/admin/media-status-flows/${made.msf_id}`).expect(404);
    await theirs.owner.client.put(`/admin/media-status-flows/${made.msf_id}`, flow({ msf_transitions: [] })).expect(404);
    await editor.client.get('/admin/media-status-flows').expect(403);
    await owner.client.delete(`/admin/media-status-flows/${made.msf_id}`).expect(204);
    await owner.client.get(`/admin/media-status-flows/${made.msf_id}`).expect(404);
  });
});

describe('people in a picture who did not agree', () => {
  it('keep it from being published and shared, unless somebody says why all the same; it may be downloaded', async () => {
    const [shown, other] = (await notes(owner.client, 2)) as [string, string];
    api.app.get(ConsentSources, { strict: false }).register({
      findIssues: (ids) => Promise.resolve(new Map(ids.filter((id) => id === shown).map((id) => [id, 'Somebody in it did not agree.']))),
      issueCondition: () => sql`r.file_id = ${shown}::uuid`,
    });
    const rules = api.app.get(ReleaseRules, { strict: false });
    const asked = (use: 'publish' | 'share' | 'download', override?: string): Promise<[string, boolean][]> =>
      inWorkspace(ours.tenant_id, () =>
        api.app
          .get(Database, { strict: false })
          .read(async () =>
            [...(await rules.findRefusals([shown, other], use, { override: override ?? null }))].map(([id, { overridable }]) => [
              id,
              overridable,
            ]),
          ),
      );
    expect([await asked('publish'), await asked('share'), await asked('share', 'They said yes by mail.'), await asked('download')]).toEqual(
      [[[shown, true]], [[shown, true]], [], []],
    );
  });
});

describe('the rights to a file', () => {
  it('are reported 30 and 7 days before they end and when they have; then what shows the file outside is revoked', async () => {
    const look = (): Promise<void> => worker.get(ScheduleHost, { strict: false }).runNow('media.rights');
    const within = async (days: number, { client } = owner): Promise<string> => {
      const file_id = await note(client);
      const expires = new Date(Date.now() + days * 86_400_000).toISOString();
      await client.put(`/files/${file_id}`, { file_metadata: { rights: { expires } } }).expect(200);
      return file_id;
    };
    withheld.length = 0;
    const [soon, later, over, far] = [await within(3), await within(20), await within(-1), await within(40)];
    const elsewhere = await within(-1, theirs.owner);
    await look();
    await look();
    const events = await api.sql<{ ev_subject: string; days: number }>(
      `SELECT ev_subject, (ev_payload ->> 'days')::integer AS days FROM outbox WHERE tenant_id = $1 AND ev_name = 'file.rights_expiring'`,
      [ours.tenant_id],
    );
    expect(new Map(events.map(({ ev_subject, days }) => [ev_subject, days]))).toEqual(
      new Map([
        [soon, 7],
        [later, 30],
        [over, 0],
      ]),
    );
    expect(events).toHaveLength(3);
    const rights = (file_id: string): object =>
      expect.objectContaining({ file_ids: [file_id], uses: ['publish', 'share'], cause: 'rights' });
    expect([withheld, withheldOf.get(theirs.tenant_id)]).toEqual([[rights(over)], [rights(elsewhere)]]);
    const rules = api.app.get(ReleaseRules, { strict: false });
    const refusals = await inWorkspace(ours.tenant_id, () =>
      api.app.get(Database, { strict: false }).read(() => rules.findRefusals([over, far], 'share')),
    );
    expect([...refusals.keys()]).toEqual([over]);
  });
});
