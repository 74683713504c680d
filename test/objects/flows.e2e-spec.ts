import { newId } from '@atrium/platform/kernel';
import { eventually, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { activeFlow, finished, flowOf, makeFlow, move, stateOf, STATES, statuses, steps, TRANSITIONS, type Flow } from './flows';
import { makeObject, makeSchema } from './objects';

const FLOWS = '/object-lifecycle-flows';

let api: RunningApi;
let ours: TestWorkspace;
let client: Client;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-objects']);
  ({ client } = ours.owner);
});
afterAll(() => api.close());

const faults = async (body: object): Promise<string[]> =>
  ((await client.post(FLOWS, flowOf(body)).expect(400)).body.errors as { path: string; code: string }[]).map(
    ({ path, code }) => `${path} ${code}`,
  );
const read = async (olf_id: string): Promise<Flow> => (await client.get(`${FLOWS}/${olf_id}`).expect(200)).body as Flow;

describe('lifecycle flows', () => {
  it('are created inactive with everything that was left out, listed, read, changed and deactivated', async () => {
    const made = await client.post(FLOWS, flowOf({ olf_description: 'Two eyes', olf_metadata: { a: 1 } })).expect(201);
    const { olf_id } = made.body as Flow;
    expect(made.headers['location']).toContain(`/object-lifecycle-flows/${olf_id}`);
    expect(made.body).toMatchObject({ olf_active: false, olf_forms: [], olf_revision: 1, olf_metadata: { a: 1 } });
    expect(made.body.olf_states[0]).toEqual({
      ...{ key: 'draft', name: 'Draft', color: null, initial: true, final: false, locked: false },
      ...{ retrievable: true, description: null },
    });
    expect(made.body.olf_transitions[2]).toEqual({
      ...{ key: 'reopen', name: 'Reopen', from: ['*'], to: 'draft', condition: null, require_fields: [], comment: 'optional', actions: [] },
      movers: { roles: [], users: [], creator: false, permissions: [] },
    });
    const active = await activeFlow(client, [], { olf_name: 'Other' });
    const list = async (query: string) => (await client.get(`${FLOWS}${query}`).expect(200)).body.data as Flow[];
    expect((await list('')).map(({ olf_name }) => olf_name)).toEqual(['Other', 'Approval']);
    expect((await list('?olf_active=true')).map((flow) => flow.olf_id)).toEqual([active.olf_id]);
    expect((await list('?olf_name=prov&sort=olf_name')).map((flow) => flow.olf_id)).toEqual([olf_id]);
    const changed = await client.patch(`${FLOWS}/${olf_id}`, { olf_name: 'Review' }).expect(200);
    expect(changed.body).toMatchObject({ olf_name: 'Review', olf_revision: 2, olf_states: made.body.olf_states });
    expect((await client.patch(`${FLOWS}/${olf_id}`, { olf_name: 'Review' }).expect(200)).body.olf_revision).toBe(2);
    await client
      .with({ 'If-Match': made.headers['etag'] as string })
      .patch(`${FLOWS}/${olf_id}`, { olf_name: 'Late' })
      .expect(412);
    await client.delete(`${FLOWS}/${active.olf_id}`).expect(204);
    expect(await read(active.olf_id)).toMatchObject({ olf_active: false });
  });

  it('are refused with the place of every fault', async () => {
    const [draft, review] = STATES;
    const [submit] = TRANSITIONS;
    expect(await faults({ olf_states: [review], olf_transitions: [] })).toEqual(['olf_states initial']);
    expect(await faults({ olf_states: [draft, { ...review, initial: true }], olf_transitions: [submit] })).toEqual([
      'olf_states[1].initial initial',
    ]);
    expect(await faults({ olf_transitions: [submit] })).toEqual(['olf_states[2] unreachable']);
    expect(await faults({ olf_transitions: [...TRANSITIONS, { ...submit, to: 'moon', from: ['sun'] }] })).toEqual([
      'olf_transitions[3].from[0] reference',
      'olf_transitions[3].to reference',
      'olf_transitions[3].key duplicate',
    ]);
    expect(await faults({ olf_states: [{ ...draft, key: 'Draft' }], olf_transitions: [] })).toEqual(['olf_states[0].key pattern']);
    expect(
      await faults({
        olf_forms: [newId()],
        olf_transitions: [
          ...TRANSITIONS,
          {
            ...submit,
            key: 'odd',
            condition: 'content.price >',
            movers: { users: [newId()], roles: [newId()], permissions: ['object:fly'] },
          },
          { ...submit, key: 'loud', actions: [{ type: 'notify', users: [newId()], roles: [newId()] }] },
        ],
      }),
    ).toEqual([
      'olf_transitions[3].condition expression',
      'olf_transitions[3].movers.users[0] reference',
      'olf_transitions[3].movers.roles[0] reference',
      'olf_transitions[3].movers.permissions[0] choice',
      'olf_transitions[4].actions[0].users[0] reference',
      'olf_transitions[4].actions[0].roles[0] reference',
      'olf_forms[0] reference',
    ]);
    expect(await faults({ olf_transitions: [...TRANSITIONS, { ...submit, key: 'sum', condition: '1 + 1' }] })).toEqual([
      'olf_transitions[3].condition type',
    ]);
    const { form_id } = await makeSchema(client);
    expect(
      await faults({ olf_forms: [form_id], olf_transitions: [...TRANSITIONS, { ...submit, key: 'x', require_fields: ['name', 'price'] }] }),
    ).toEqual(['olf_transitions[3].require_fields[1] reference']);
  });

  it('take no key that belongs to a later issue', async () => {
    const [submit, ...rest] = TRANSITIONS;
    const later = (more: object): object => ({ olf_transitions: [{ ...submit, ...more }, ...rest] });
    expect(await faults(later({ approvals: { count: 2 } }))).toHaveLength(1);
    expect(await faults(later({ actions: [{ type: 'set_field' }] }))).toHaveLength(1);
    const { olf_id } = await makeFlow(client);
    await client.get(`${FLOWS}/${olf_id}/report`).expect(404);
  });

  it('[objects 13] are activated without a rival alone; a state in use goes with a map only, and takes its objects along', async () => {
    const schema = await makeSchema(client);
    const first = await activeFlow(client, [schema.form_id], { olf_name: 'First' });
    const second = await makeFlow(client, { olf_forms: [schema.form_id, (await makeSchema(client)).form_id] });
    const refused = await client.post(`${FLOWS}/${second.olf_id}/activate`).expect(409);
    expect(refused.body).toMatchObject({ code: 'already_exists', detail: expect.stringContaining('First') });
    const [one, two] = [await makeObject(client, schema.form_id), await makeObject(client, schema.form_id)];
    await move(client, one.obj_id, 'submit').expect(200);

    const states = STATES.filter(({ key }) => key !== 'review').concat([{ key: 'checking', name: 'Checking' }]);
    const graph = {
      olf_states: states,
      olf_transitions: [
        { key: 'check', name: 'Check', from: ['draft'], to: 'checking' },
        { key: 'approve', name: 'Approve', from: ['checking'], to: 'approved' },
      ],
    };
    const used = await client.patch(`${FLOWS}/${first.olf_id}`, graph).expect(409);
    expect(used.body).toMatchObject({
      code: 'in_use',
      errors: [{ path: 'state_map.review', code: 'in_use', message: '1 objects are in the state review' }],
    });
    expect(await statuses(client, [one.obj_id, two.obj_id])).toEqual(['review', 'draft']);
    const lost = await client.patch(`${FLOWS}/${first.olf_id}`, { ...graph, state_map: { review: 'moon' } }).expect(400);
    expect(lost.body.errors[0]).toMatchObject({ path: 'state_map.review', code: 'reference' });
    await client.patch(`${FLOWS}/${first.olf_id}`, { ...graph, state_map: { draft: 'checking', review: 'checking' } }).expect(400);
    await client.patch(`${FLOWS}/${first.olf_id}`, { ...graph, state_map: { review: 'checking' } }).expect(200);
    expect(await stateOf(client, one.obj_id)).toMatchObject({ obj_status: 'checking', state: { key: 'checking', name: 'Checking' } });
    expect((await steps(client, one.obj_id))[0]).toMatchObject({ otr_transition: null, otr_from: 'review', otr_to: 'checking' });
    expect(await statuses(client, [two.obj_id])).toEqual(['draft']);
    await move(client, one.obj_id, 'approve').expect(200);
  });

  it('are changed on while a member that they name has gone, who cannot be named again', async () => {
    const { user_id } = await ours.member('editor');
    const named = { olf_transitions: [{ ...TRANSITIONS[0], movers: { users: [user_id] } }, ...TRANSITIONS.slice(1)] };
    const [one, two] = [await makeFlow(client, named), await makeFlow(client)];
    await client.delete(`/admin/users/${user_id}`).expect(204);
    expect((await client.patch(`${FLOWS}/${one.olf_id}`, { ...named, olf_name: 'Again' }).expect(200)).body.olf_name).toBe('Again');
    const refused = await client.patch(`${FLOWS}/${two.olf_id}`, named).expect(400);
    expect(refused.body.errors).toMatchObject([{ path: 'olf_transitions[0].movers.users[0]', code: 'reference' }]);
  });

  it('leave to an active rival what it has, also when their schemas change', async () => {
    const [a, b] = [await makeSchema(client), await makeSchema(client)];
    await activeFlow(client, [a.form_id]);
    const other = await activeFlow(client, [b.form_id]);
    await client.patch(`${FLOWS}/${other.olf_id}`, { olf_forms: [b.form_id, a.form_id] }).expect(409);
    expect((await read(other.olf_id)).olf_forms).toEqual([b.form_id]);
    await activeFlow(client, []);
    await client.patch(`${FLOWS}/${other.olf_id}`, { olf_forms: [] }).expect(409);
  });

  it('are activated once each, however many ask at once', async () => {
    const { form_id } = await makeSchema(client);
    const flows = await Promise.all([1, 2, 3, 4].map(() => makeFlow(client, { olf_forms: [form_id] })));
    const answers = await Promise.all(flows.map(({ olf_id }) => client.post(`${FLOWS}/${olf_id}/activate`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  it('govern the schemas they name, and one flow without schemas governs all others', async () => {
    const [named, other] = [await makeSchema(client), await makeSchema(client)];
    const all = await activeFlow(client, [], { olf_name: 'All' });
    const own = await activeFlow(client, [named.form_id], { olf_name: 'Own' });
    const flowsOf = async (form_id: string) => (await stateOf(client, (await makeObject(client, form_id)).obj_id)).obj_flow;
    expect([await flowsOf(named.form_id), await flowsOf(other.form_id)]).toEqual([own.olf_id, all.olf_id]);
    await client.post(`${FLOWS}/${own.olf_id}/deactivate`).expect(200);
    expect(await flowsOf(named.form_id)).toBe(all.olf_id);
  });

  it('adopt objects that follow none: equal states are kept, others enter the initial one', async () => {
    const { form_id } = await makeSchema(client);
    const stateless = await makeObject(client, form_id);
    const old = await activeFlow(client, [form_id], {
      olf_name: 'Old',
      olf_states: [...STATES, { key: 'lost', name: 'Lost' }],
      olf_transitions: [...TRANSITIONS, { key: 'lose', name: 'Lose', from: ['draft'], to: 'lost' }],
    });
    const [reviewed, lost, deleted] = [
      await makeObject(client, form_id),
      await makeObject(client, form_id),
      await makeObject(client, form_id),
    ];
    await move(client, reviewed.obj_id, 'submit').expect(200);
    await move(client, lost.obj_id, 'lose').expect(200);
    await client.delete(`/objects/${deleted.obj_id}`).expect(204);
    await client.delete(`${FLOWS}/${old.olf_id}`).expect(204);
    const stranger = await makeObject(client, (await makeSchema(client)).form_id);
    const next = await makeFlow(client, { olf_name: 'Next', olf_forms: [form_id] });
    const asked = await client.post(`${FLOWS}/${next.olf_id}/activate`, { adopt: true }).expect(202);
    expect(asked.headers['location']).toContain(`/jobs/${asked.body.job_id}`);
    expect(asked.body).toMatchObject({ job_kind: 'objects.adopt', total: 3 });
    expect(await finished(client, asked.body.job_id as string)).toMatchObject({ status: 'completed', result: { adopted: 3 } });
    expect(await read(next.olf_id)).toMatchObject({ olf_active: true });
    expect(await statuses(client, [stateless.obj_id, reviewed.obj_id, lost.obj_id, stranger.obj_id])).toEqual([
      'draft',
      'review',
      'draft',
      null,
    ]);
    expect((await stateOf(client, reviewed.obj_id)).obj_flow).toBe(next.olf_id);
    expect((await steps(client, lost.obj_id))[0]).toMatchObject({ otr_transition: null, otr_from: 'lost', otr_to: 'draft' });
    await move(client, reviewed.obj_id, 'approve').expect(200);
    const again = await client.post(`${FLOWS}/${next.olf_id}/activate`, { adopt: true }).expect(202);
    expect(await finished(client, again.body.job_id as string)).toMatchObject({ result: { adopted: 0 } });
  });

  it('move more objects than fit into one change in the background, and mean the new state by the old one until then', async () => {
    const { form_id } = await makeSchema(client);
    const flow = await activeFlow(client, [form_id]);
    const { obj_id } = await makeObject(client, form_id);
    await move(client, obj_id, 'submit').expect(200);
    // A thousand more like it, without asking a thousand times.
    await api.sql(
      `INSERT INTO object (tenant_id, obj_id, obj_form, obj_name, obj_content, obj_status, obj_flow, obj_status_since, obj_text)
       SELECT tenant_id, gen_random_uuid(), obj_form, obj_name, obj_content, obj_status, obj_flow, obj_status_since, obj_text
       FROM object CROSS JOIN generate_series(1, 1100) WHERE obj_id = $1`,
      [obj_id],
    );
    await client
      .patch(`${FLOWS}/${flow.olf_id}`, {
        olf_states: STATES.filter(({ key }) => key !== 'review'),
        olf_transitions: [{ key: 'approve', name: 'Approve', from: ['draft'], to: 'approved' }],
        state_map: { review: 'draft' },
      })
      .expect(200);
    const shown = (await client.get(`/objects?obj_form=${form_id}&limit=1000`).expect(200)).body.data as { state: { key: string } }[];
    expect(new Set(shown.map(({ state }) => state.key))).toEqual(new Set(['draft']));
    const left = () =>
      api.sql<{ n: number }>(`SELECT count(*)::integer AS n FROM object WHERE obj_form = $1 AND obj_status = 'review'`, [form_id]);
    expect(await eventually(left, ([row]) => row?.n === 0, 60_000)).toEqual([{ n: 0 }]);
  }, 120_000);

  it('keep to their workspace, their permissions and their module', async () => {
    const flow = await makeFlow(client);
    const theirs = await api.workspace(['module-objects']);
    const path = `${FLOWS}/${flow.olf_id}`;
    const other = theirs.owner.client;
    expect((await other.get(FLOWS).expect(200)).body.data).toEqual([]);
    for (const asked of [
      other.get(path),
      other.patch(path, { olf_name: 'Mine' }),
      other.delete(path),
      other.post(`${path}/activate`),
      other.post(`${path}/deactivate`),
    ])
      expect((await asked).status).toBe(404);
    const { form_id } = await makeSchema(client);
    const foreign = await other.post(FLOWS, flowOf({ olf_forms: [form_id] })).expect(400);
    expect(foreign.body.errors[0]).toMatchObject({ path: 'olf_forms[0]', code: 'reference' });
    const named = { olf_transitions: [{ ...TRANSITIONS[0], movers: { users: [ours.owner.user_id] } }, ...TRANSITIONS.slice(1)] };
    expect((await other.post(FLOWS, flowOf(named)).expect(400)).body.errors[0]).toMatchObject({ code: 'reference' });

    const { client: viewer } = await ours.member('viewer');
    await viewer.get(path).expect(200);
    for (const asked of [
      viewer.post(FLOWS, flowOf()),
      viewer.patch(path, { olf_name: 'Mine' }),
      viewer.delete(path),
      viewer.post(`${path}/activate`),
      viewer.post(`${path}/deactivate`),
    ])
      expect((await asked).body).toMatchObject({ status: 403, code: 'permission_denied' });
    const { client: bare } = (await api.workspace()).owner;
    for (const asked of [bare.get(FLOWS), bare.post(FLOWS, flowOf()), bare.get(path)])
      expect((await asked).body).toMatchObject({ status: 403, code: 'license_required' });
    await api.stranger.get(FLOWS).expect(401);
  });
});
