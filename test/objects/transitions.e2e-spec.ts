import { eventually, type Client, type Member, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { activeFlow, makeFlow, move, openTransitions, stateOf, STATES, statuses, steps, TRANSITIONS } from './flows';
import { field, makeObject, makeSchema, type Obj, type Schema } from './objects';

let api: RunningApi;
let ours: TestWorkspace;
let client: Client;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-objects', 'module-documents']);
  ({ client } = ours.owner);
});
afterAll(() => api.close());

const keys = async (who: Member, { obj_id }: Obj): Promise<string[]> => (await openTransitions(who.client, obj_id)).map(({ key }) => key);

/** A flow with one transition from draft, made as it is said. */
const withTransition = (schema: Schema, more: object) =>
  activeFlow(client, [schema.form_id], { olf_transitions: [{ ...TRANSITIONS[0], ...more }, ...TRANSITIONS.slice(1)] });

describe('objects in lifecycle flows', () => {
  it('[objects 12] begin in the initial state, are moved by those who may, when everything is there, and keep their content where the state is locked', async () => {
    const schema = await makeSchema(client, [field('price', 'number')]);
    const [editor, contributor] = [await ours.member('editor'), await ours.member('contributor')];
    const before = await makeObject(client, schema.form_id);
    const flow = await activeFlow(client, [schema.form_id], {
      olf_transitions: [
        TRANSITIONS[0],
        { ...TRANSITIONS[1], movers: { users: [contributor.user_id] }, require_fields: ['price'], comment: 'required' },
        TRANSITIONS[2],
      ],
    });
    expect(await stateOf(client, before.obj_id)).toMatchObject({ obj_status: null, obj_flow: null, state: null });
    const lamp = await makeObject(editor.client, schema.form_id, { name: 'Lamp' });
    expect(lamp).toMatchObject({ obj_status: 'draft', obj_flow: flow.olf_id, state: { key: 'draft', name: 'Draft', color: null } });

    expect([await keys(editor, lamp), await keys(contributor, lamp)]).toEqual([['submit'], []]);
    await move(contributor.client, lamp.obj_id, 'submit').expect(403);
    expect((await move(contributor.client, lamp.obj_id, 'approve', { comment: 'Early' }).expect(409)).body.code).toBe('invalid_state');
    const moved = await move(editor.client, lamp.obj_id, 'submit', { comment: 'Ready' }).expect(200);
    expect(moved.body).toMatchObject({ obj_id: lamp.obj_id, obj_status: 'review', state: { key: 'review' }, obj_version: 2 });

    expect([await keys(editor, lamp), await keys(contributor, lamp)]).toEqual([['reopen'], ['approve']]);
    expect(await openTransitions(contributor.client, lamp.obj_id)).toEqual([
      {
        ...{ key: 'approve', name: 'Approve', to: 'approved', comment: 'required', require_fields: ['price'] },
        blocked_by: [{ path: 'obj_content.price', code: 'required', message: 'price is required for this transition.' }],
      },
    ]);
    await move(editor.client, lamp.obj_id, 'approve', { comment: 'Me' }).expect(403);
    expect((await move(contributor.client, lamp.obj_id, 'approve').expect(400)).body.errors).toMatchObject([
      { path: 'comment', code: 'required' },
    ]);
    const lacking = await move(contributor.client, lamp.obj_id, 'approve', { comment: 'Good' }).expect(422);
    expect(lacking.body).toMatchObject({ code: 'unprocessable_content', errors: [{ path: 'obj_content.price', code: 'required' }] });
    await move(contributor.client, lamp.obj_id, 'approve', { comment: 'Good', obj_content: { price: 12 } }).expect(200);
    expect(await stateOf(client, lamp.obj_id)).toMatchObject({ obj_status: 'approved', obj_content: { name: 'Lamp', price: 12 } });

    const locked = await editor.client.patch(`/objects/${lamp.obj_id}`, { obj_content: { price: 1 } }).expect(409);
    expect(locked.body.code).toBe('invalid_state');
    const other = await makeSchema(client, [field('price', 'number')]);
    for (const more of [{}, { obj_content: { price: 1 } }])
      expect((await editor.client.patch(`/objects/${lamp.obj_id}`, { obj_form: other.form_id, ...more }).expect(409)).body.code).toBe(
        'invalid_state',
      );
    expect(await stateOf(client, lamp.obj_id)).toMatchObject({ obj_form: schema.form_id, obj_content: { name: 'Lamp', price: 12 } });
    await editor.client.patch(`/objects/${lamp.obj_id}`, { obj_metadata: { seen: true } }).expect(200);
    expect(await steps(client, lamp.obj_id)).toMatchObject([
      { otr_transition: 'approve', otr_from: 'review', otr_to: 'approved', otr_comment: 'Good', otr_by: contributor.user_id },
      { otr_transition: 'submit', otr_from: 'draft', otr_to: 'review', otr_comment: 'Ready', otr_by: editor.user_id },
      { otr_transition: null, otr_from: null, otr_to: 'draft', otr_comment: null, otr_by: editor.user_id },
    ]);
  });

  it('[objects 14] are absent from the next search in a state that is not retrievable, and come back out of it', async () => {
    const schema = await makeSchema(client, [field('story', 'long_text')], { form_metadata: { retrieval: true } });
    const flow = await activeFlow(client, [schema.form_id], {
      olf_states: STATES.map((state) => (state.key === 'review' ? { ...state, retrievable: false } : state)),
    });
    const { obj_id } = await makeObject(client, schema.form_id, { name: 'Lighthouse', story: 'Fresnel lenses carry the beam far out.' });
    const found = async (): Promise<number> =>
      (
        (await client.post('/retrieval/search', { query: 'Fresnel lenses', scopes: [`object:${schema.form_id}`] }).expect(200)).body
          .data as object[]
      ).length;
    const indexed = () => eventually(found, (n) => n > 0, 60_000);
    await indexed();
    await move(client, obj_id, 'submit').expect(200);
    expect(await found()).toBe(0);
    await move(client, obj_id, 'reopen').expect(200);
    await indexed();
    const states = STATES.map((state) => (state.key === 'draft' ? { ...state, retrievable: false } : state));
    await client.patch(`/object-lifecycle-flows/${flow.olf_id}`, { olf_states: states }).expect(200);
    expect(await found()).toBe(0);
    await client.patch(`/object-lifecycle-flows/${flow.olf_id}`, { olf_states: STATES }).expect(200);
    await indexed();
  }, 120_000);

  it('are moved by roles, permissions and their creator where a transition names these', async () => {
    const schema = await makeSchema(client);
    const [editor, contributor, admin] = [await ours.member('editor'), await ours.member('contributor'), await ours.member('admin')];
    const roles = (await client.get('/admin/roles?role_name=contributor').expect(200)).body.data as { role_id: string }[];
    const one = (key: string, movers: object): object => ({ key, name: key, from: ['draft'], to: 'review', movers });
    await activeFlow(client, [schema.form_id], {
      olf_transitions: [
        one('by_role', { roles: [roles[0]?.role_id] }),
        one('by_permission', { permissions: ['object:lifecycle:edit'] }),
        one('by_creator', { creator: true }),
        ...TRANSITIONS.slice(1),
      ],
    });
    const made = await makeObject(editor.client, schema.form_id);
    expect([await keys(editor, made), await keys(contributor, made), await keys(admin, made)]).toEqual([
      ['by_creator'],
      ['by_role'],
      ['by_permission'],
    ]);
  });

  it('need a condition to hold over content, previous values, user and state; one that fails counts as unmet', async () => {
    const schema = await makeSchema(client, [field('price', 'number')]);
    await withTransition(schema, { condition: 'content.price > 10 && state == "draft" && size(user.roles) > 0' });
    const { obj_id } = await makeObject(client, schema.form_id);
    const [open] = await openTransitions(client, obj_id);
    expect(open).toMatchObject({ key: 'submit', blocked_by: [{ path: 'transition', code: 'condition' }] });
    expect(open?.blocked_by[0]?.message).toContain('cannot be evaluated');
    expect((await move(client, obj_id, 'submit').expect(422)).body.errors).toMatchObject([{ path: 'transition', code: 'condition' }]);
    const low = await move(client, obj_id, 'submit', { obj_content: { price: 3 } }).expect(422);
    expect(low.body.errors[0].message).toContain('is not met');
    expect((await stateOf(client, obj_id)).obj_content).toEqual({ name: 'Thing' });
    await move(client, obj_id, 'submit', { obj_content: { price: 11 } }).expect(200);
  });

  it('name everything that is missing at once', async () => {
    const schema = await makeSchema(client, [field('price', 'number'), field('tags', 'tags')]);
    await withTransition(schema, { require_fields: ['price', 'tags'], condition: 'false' });
    const { obj_id } = await makeObject(client, schema.form_id, { tags: [] });
    const refused = await move(client, obj_id, 'submit').expect(422);
    expect((refused.body.errors as { path: string }[]).map(({ path }) => path)).toEqual([
      'obj_content.price',
      'obj_content.tags',
      'transition',
    ]);
  });

  it('take values with the move as any other write does: valid ones, of editors all, of others those that are required', async () => {
    const schema = await makeSchema(client, [field('price', 'number', { min: 0 }), field('size', 'integer')]);
    const contributor = await ours.member('contributor');
    await withTransition(schema, { movers: { users: [contributor.user_id, ours.owner.user_id] }, require_fields: ['price'] });
    const { obj_id } = await makeObject(client, schema.form_id);
    const invalid = await move(client, obj_id, 'submit', { obj_content: { price: -1 } }).expect(400);
    expect(invalid.body.errors).toMatchObject([{ path: 'obj_content.price', code: 'minimum' }]);
    const unknown = await move(client, obj_id, 'submit', { obj_content: { colour: 'red' } }).expect(400);
    expect(unknown.body.errors).toMatchObject([{ code: 'unknown_field' }]);
    await move(contributor.client, obj_id, 'submit', { obj_content: { price: 1, size: 2 } }).expect(403);
    expect(await statuses(client, [obj_id])).toEqual(['draft']);
    await move(contributor.client, obj_id, 'submit', { obj_content: { price: 1 } }).expect(200);
    await move(client, obj_id, 'approve', { obj_content: { size: 3 } }).expect(200);
    await move(client, obj_id, 'reopen', { obj_content: { size: 4 } }).expect(409);
    expect((await stateOf(client, obj_id)).obj_content).toMatchObject({ price: 1, size: 3 });
  });

  it('refuse unknown transitions, comments that are not taken, and moves in a flow that is inactive', async () => {
    const schema = await makeSchema(client);
    const flow = await withTransition(schema, { comment: 'none' });
    const { obj_id } = await makeObject(client, schema.form_id);
    expect((await move(client, obj_id, 'launch').expect(400)).body.errors).toMatchObject([{ path: 'transition', code: 'reference' }]);
    expect((await move(client, obj_id, 'submit', { comment: 'Hm' }).expect(400)).body.errors).toMatchObject([{ path: 'comment' }]);
    await move(client, obj_id, 'submit', { approvals: [] }).expect(400);
    await client.delete(`/object-lifecycle-flows/${flow.olf_id}`).expect(204);
    expect(await openTransitions(client, obj_id)).toEqual([]);
    expect((await move(client, obj_id, 'submit').expect(409)).body.code).toBe('invalid_state');
    expect(await stateOf(client, obj_id)).toMatchObject({ obj_status: 'draft', state: { key: 'draft' } });
  });

  it('move once when two ask at once', async () => {
    const schema = await makeSchema(client);
    await activeFlow(client, [schema.form_id]);
    const { obj_id } = await makeObject(client, schema.form_id);
    const answers = await Promise.all([1, 2, 3].map(() => move(client, obj_id, 'submit')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await steps(client, obj_id)).toHaveLength(2);
  });

  it('follow one revision of a flow that is changed at the same time', async () => {
    const schema = await makeSchema(client);
    const flow = await activeFlow(client, [schema.form_id]);
    const objects = await Promise.all([1, 2, 3, 4, 5, 6].map(() => makeObject(client, schema.form_id)));
    const change = client.patch(`/object-lifecycle-flows/${flow.olf_id}`, {
      olf_states: STATES.filter(({ key }) => key !== 'review'),
      olf_transitions: [{ key: 'approve', name: 'Approve', from: ['draft'], to: 'approved' }],
      state_map: { review: 'draft' },
    });
    const [changed, ...moves] = await Promise.all([change, ...objects.map(({ obj_id }) => move(client, obj_id, 'submit'))]);
    expect(changed?.status).toBe(200);
    for (const { status } of moves) expect([200, 400]).toContain(status);
    expect(
      new Set(
        await statuses(
          client,
          objects.map(({ obj_id }) => obj_id),
        ),
      ),
    ).toEqual(new Set(['draft']));
  });

  it('keep their state under another schema where its flow has it, else begin again, and have none where no flow is', async () => {
    const [a, b, c] = [await makeSchema(client), await makeSchema(client), await makeSchema(client)];
    await activeFlow(client, [a.form_id]);
    const other = await activeFlow(client, [b.form_id], {
      olf_states: [{ key: 'open', name: 'Open', initial: true }, STATES[1]],
      olf_transitions: [{ key: 'submit', name: 'Submit', from: ['open'], to: 'review' }],
    });
    const [reviewed, draft, leaving] = [
      await makeObject(client, a.form_id),
      await makeObject(client, a.form_id),
      await makeObject(client, a.form_id),
    ];
    await move(client, reviewed.obj_id, 'submit').expect(200);
    for (const { obj_id } of [reviewed, draft]) await client.patch(`/objects/${obj_id}`, { obj_form: b.form_id }).expect(200);
    await client.patch(`/objects/${leaving.obj_id}`, { obj_form: c.form_id }).expect(200);
    expect(await stateOf(client, reviewed.obj_id)).toMatchObject({ obj_flow: other.olf_id, obj_status: 'review' });
    expect(await stateOf(client, draft.obj_id)).toMatchObject({ obj_flow: other.olf_id, obj_status: 'open' });
    expect(await stateOf(client, leaving.obj_id)).toMatchObject({ obj_flow: null, obj_status: null, state: null });
  });

  it('tell others of their moves by events, and keep a revision of each', async () => {
    const schema = await makeSchema(client);
    const flow = await activeFlow(client, [schema.form_id]);
    const { obj_id } = await makeObject(client, schema.form_id);
    await move(client, obj_id, 'submit').expect(200);
    const events = await api.sql<{ ev_name: string; ev_payload: object }>(
      `SELECT ev_name, ev_payload FROM outbox WHERE ev_name LIKE 'object.%' AND ev_payload::text LIKE '%' || $1 || '%' ORDER BY ev_id`,
      [schema.form_id],
    );
    expect(JSON.stringify(events)).toContain(`"flow":"${flow.olf_id}"`);
    expect(events.map(({ ev_name }) => ev_name)).toEqual(['object.created', 'object.transitioned']);
    const revisions = (await client.get(`/objects/${obj_id}/revisions`).expect(200)).body.data as object[];
    expect(revisions[0]).toMatchObject({ rev_action: 'transitioned', rev_changes: [{ field: 'obj_status', from: 'draft', to: 'review' }] });
  });

  it('keep their transitions and history to their workspace and their readers', async () => {
    const schema = await makeSchema(client);
    await activeFlow(client, [schema.form_id], {
      olf_transitions: [{ ...TRANSITIONS[0], movers: { permissions: ['object:view'] } }, ...TRANSITIONS.slice(1)],
    });
    const made = await makeObject(client, schema.form_id);
    const path = `/objects/${made.obj_id}`;
    const asks = (who: Client) => [who.get(`${path}/transitions`), who.get(`${path}/history`), move(who, made.obj_id, 'submit')];
    for (const asked of asks((await api.workspace(['module-objects'])).owner.client)) expect((await asked).status).toBe(404);
    for (const asked of asks((await ours.member('viewer', ['media:view'])).client))
      expect((await asked).body).toMatchObject({ status: 403, code: 'permission_denied' });
    for (const asked of asks((await api.workspace()).owner.client)) expect((await asked).body).toMatchObject({ code: 'license_required' });
    for (const asked of asks(api.stranger)) expect((await asked).status).toBe(401);
    const viewer = await ours.member('viewer');
    const reserved = { users: { [ours.owner.user_id]: 'owner' } };
    await client.patch(path, { obj_acl: reserved }).expect(200);
    for (const asked of asks(viewer.client)) expect((await asked).status).toBe(404);
    await client.patch(path, { obj_acl: { users: { ...reserved.users, [viewer.user_id]: 'view' } } }).expect(200);
    expect(await keys(viewer, made)).toEqual(['submit']);
    await client.delete(path).expect(204);
    expect((await client.get(`${path}/transitions`).expect(200)).body).toMatchObject({ data: [] });
    await client.get(`${path}/history`).expect(200);
    expect((await move(client, made.obj_id, 'submit').expect(409)).body.code).toBe('invalid_state');
  });

  it('need access to edit, not the permission alone, where a transition names nobody', async () => {
    const schema = await makeSchema(client);
    await activeFlow(client, [schema.form_id]);
    const editor = await ours.member('editor');
    const made = await makeObject(
      client,
      schema.form_id,
      {},
      { obj_acl: { users: { [ours.owner.user_id]: 'owner', [editor.user_id]: 'view' } } },
    );
    expect(await keys(editor, made)).toEqual([]);
    await move(editor.client, made.obj_id, 'submit').expect(403);
  });

  it('begin without a state while the flow of their schema is inactive', async () => {
    const schema = await makeSchema(client);
    await makeFlow(client, { olf_forms: [schema.form_id] });
    expect(await makeObject(client, schema.form_id)).toMatchObject({ obj_status: null });
  });
});
