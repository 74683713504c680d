import { newId, Problem, type FieldFault } from '@atrium/platform/kernel';
import { eventually, type Member, type RunningApi } from '@atrium/platform/testing';
import { startAtrium, startWorker } from '../support/api';
import { BLOG, Desk, flowOf, LEAFLET, MadeUpSubjects, named, NOTICE, refusalOf, SHOP, state, transition } from './made-up-subjects';

let api: RunningApi;
let desk: Desk;
let leaflets: MadeUpSubjects;
let editor: Member;

beforeAll(async () => {
  api = await startAtrium();
  leaflets = await MadeUpSubjects.start(api, LEAFLET);
  await MadeUpSubjects.start(api, NOTICE);
}, 120_000);
afterAll(() => api.close());
beforeEach(async () => {
  desk = new Desk(api, await api.workspace());
  editor = await desk.ours.member('editor');
});

const faultsOf = (work: Promise<unknown>): Promise<string[]> =>
  work.then(
    () => [],
    (error: unknown) => {
      if (!(error instanceof Problem)) throw new Error(String(error));
      return (error.errors ?? []).map(({ path, code }: FieldFault) => `${path} ${code}`);
    },
  );
const create = (flow: object) => desk.within(() => desk.flows.create(flowOf('leaflet', flow)));
const activate = (caf_id: string) => desk.within(() => desk.flows.activateFlow(caf_id));
const change = (caf_id: string, wish: object, map = {}) => desk.within(() => desk.flows.change(caf_id, { wish, state_map: map }));
const moved = async (key: string, site?: string): Promise<string> => {
  const id = await desk.within(() => leaflets.create(site === undefined ? {} : { site }));
  await desk.move(editor, leaflets.ref(id, 'en'), key);
  return id;
};

describe('a flow', () => {
  it('is inactive until it is activated, and then covers subjects in its initial state', async () => {
    const id = await desk.within(() => leaflets.create());
    const { caf_id, caf_active, caf_revision, row_version } = await create({});
    expect([caf_active, caf_revision, row_version]).toEqual([false, 1, 1]);
    expect(await desk.stateOf(leaflets.ref(id, 'en'))).toBeNull();
    expect(await refusalOf(desk.move(editor, leaflets.ref(id, 'en'), 'submit'))).toBe('invalid_state');
    expect(await desk.openTransitions(editor, leaflets.ref(id, 'en'))).toEqual([]);
    await activate(caf_id);
    expect(await desk.within(() => desk.gate.findStandings('leaflet', [{ id, locale: 'en' }]))).toEqual([
      {
        flow: caf_id,
        flow_name: 'Review',
        state: 'draft',
        state_name: 'The draft',
        publishable: false,
        locked: false,
        request: null,
      },
    ]);
  });

  it('opens the gate while it is inactive, and subjects keep their states', async () => {
    const caf_id = await desk.activeFlow(flowOf('leaflet'));
    const id = await moved('submit');
    expect(await refusalOf(desk.within(() => leaflets.publishDraft(id, 'en')))).toBe('invalid_state');
    await desk.within(() => desk.flows.deactivateFlow(caf_id));
    expect(await refusalOf(desk.within(() => leaflets.publishDraft(id, 'en')))).toBe('done');
    expect(await desk.stateOf(leaflets.ref(id, 'en'))).toBeNull();
    await activate(caf_id);
    expect(await desk.stateOf(leaflets.ref(id, 'en'))).toBe('review');
  });

  it('names only what exists, and lets something be published', async () => {
    const stranger = newId();
    const movers = named({ users: [stranger], permissions: ['content:fly'] });
    expect(await faultsOf(create({ caf_subject: 'ship' }))).toEqual(['caf_subject choice']);
    expect(
      await faultsOf(
        create({
          caf_scope: { sites: [SHOP, stranger], locales: [] },
          caf_states: [state('draft'), state('review'), state('approved', { publishable: false })],
          caf_transitions: [
            transition('submit', 'draft', 'review', { movers, checks: ['polite', 'spelling'] }),
            transition('approve', 'review', 'approved', {
              count: 1,
              users: [stranger],
              actions: [{ type: 'notify', users: [], roles: [stranger], creator: false }],
            }),
          ],
        }),
      ),
    ).toEqual([
      'caf_states publishable',
      'caf_transitions[0].checks[1] choice',
      'caf_transitions[0].movers.users[0] reference',
      'caf_transitions[0].movers.permissions[0] choice',
      'caf_transitions[1].approvals.movers.users[0] reference',
      'caf_transitions[1].actions[0].roles[0] reference',
      'caf_scope.sites[1] reference',
    ]);
    const posts = { caf_subject: 'notice', caf_scope: { sites: [], locales: ['de'] } };
    expect(await faultsOf(desk.within(() => desk.flows.create(flowOf('notice', posts))))).toEqual(['caf_scope unknown_field']);
  });

  it('covers what no other active flow of its type covers equally', async () => {
    const all = await desk.activeFlow(flowOf('leaflet'));
    const [german, shop, other] = [
      await create({ caf_name: 'German', caf_scope: { sites: [], locales: ['de'] } }),
      await create({ caf_name: 'Shop', caf_scope: { sites: [SHOP], locales: [] } }),
      await create({ caf_name: 'Other' }),
    ];
    expect(await refusalOf(activate(other.caf_id))).toBe('already_exists');
    await activate(german.caf_id);
    await activate(shop.caf_id);
    expect(await faultsOf(change(german.caf_id, { caf_scope: { sites: [SHOP, BLOG], locales: [] } }))).toEqual(['caf_scope unique']);
    await desk.activeFlow(flowOf('notice'));
    const ids = await desk.within(() => Promise.all([leaflets.create({ site: SHOP }), leaflets.create({ site: BLOG })]));
    const refs = ids.flatMap((id) => ['de', 'en'].map((locale) => ({ id, locale })));
    expect((await desk.within(() => desk.gate.findStandings('leaflet', refs))).map((found) => found?.flow)).toEqual([
      shop.caf_id,
      shop.caf_id,
      german.caf_id,
      all,
    ]);
  });

  it('loses a state that is in use only where state_map says where its subjects go', async () => {
    const caf_id = await desk.activeFlow(flowOf('leaflet'));
    const ids = [await moved('submit'), await moved('submit')];
    const without = {
      caf_states: [state('draft'), state('legal'), state('approved')],
      caf_transitions: [transition('ask', 'draft', 'legal'), transition('clear', 'legal', 'approved')],
    };
    const refusal = await change(caf_id, without).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'in_use', errors: [{ path: 'state_map.review', message: 'The state review is in use: 2' }] });
    expect(await refusalOf(change(caf_id, without, { review: 'moon' }))).toBe('validation_failed');
    expect(await refusalOf(change(caf_id, without, { draft: 'legal' }))).toBe('validation_failed');
    expect((await change(caf_id, without, { review: 'legal' })).caf_revision).toBe(2);
    expect(await Promise.all(ids.map((id) => desk.stateOf(leaflets.ref(id, 'en'))))).toEqual(['legal', 'legal']);
  });

  it('leaves open requests as they were opened, whose approval leads to the state that theirs means now', async () => {
    const caf_id = await desk.activeFlow(
      flowOf('leaflet', {
        caf_transitions: [transition('submit', 'draft', 'review'), transition('approve', 'review', 'approved', { count: 1 })],
      }),
    );
    const id = await moved('submit');
    const request = await desk.ask(editor, leaflets.ref(id, 'en'));
    await change(
      caf_id,
      {
        caf_states: [state('draft'), state('live', { publishable: true })],
        caf_transitions: [transition('post', 'draft', 'live', { count: 20 })],
      },
      { review: 'draft', approved: 'live' },
    );
    expect((await desk.get(editor, request.car_id)).car_status).toBe('open');
    expect((await desk.decide(desk.ours.owner, request)).car_status).toBe('approved');
    expect(await desk.stateOf(leaflets.ref(id, 'en'))).toBe('live');
  });

  it('is audited, changed with its version alone, and unknown to other workspaces', async () => {
    const { caf_id } = await create({});
    await activate(caf_id);
    await activate(caf_id);
    await change(caf_id, { caf_name: 'Second look' });
    await change(caf_id, { caf_name: 'Second look' });
    await desk.within(() => desk.flows.deactivateFlow(caf_id));
    const entries = await api.sql<{ type: string }>(
      'SELECT aud_type AS type FROM audit_event WHERE tenant_id = $1 AND aud_target_id = $2 ORDER BY aud_id',
      [desk.ours.tenant_id, caf_id],
    );
    expect(entries.map(({ type }) => type)).toEqual([
      'approval_flow.created',
      'approval_flow.activated',
      'approval_flow.updated',
      'approval_flow.deactivated',
    ]);
    const theirs = new Desk(api, await api.workspace());
    expect(await refusalOf(theirs.within(() => theirs.flows.get(caf_id)))).toBe('not_found');
    expect(await refusalOf(theirs.within(() => theirs.flows.activateFlow(caf_id)))).toBe('not_found');
    expect((await theirs.within(() => theirs.flows.list({}))).data).toEqual([]);
  });
});

it('more subjects than a request moves follow a removed state in the background', async () => {
  const caf_id = await desk.activeFlow(flowOf('leaflet'));
  await api.sql(
    `INSERT INTO approval_standing (tenant_id, cas_id, cas_subject_type, cas_subject_id, cas_locale, cas_flow, cas_state)
     SELECT $1, gen_random_uuid(), 'leaflet', gen_random_uuid(), 'en', $2, 'review' FROM generate_series(1, 1500)`,
    [desk.ours.tenant_id, caf_id],
  );
  const without = { caf_states: [state('draft'), state('approved')], caf_transitions: [transition('approve', 'draft', 'approved')] };
  const refusal = await change(caf_id, without).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ errors: [{ message: 'The state review is in use: more than 1000' }] });
  await change(caf_id, without, { review: 'approved' });
  const inReview = async (): Promise<number> =>
    (
      await api.sql<{ count: number }>(
        "SELECT count(*)::integer AS count FROM approval_standing WHERE cas_flow = $1 AND cas_state = 'review'",
        [caf_id],
      )
    )[0]?.count ?? 0;
  expect(await inReview()).toBe(500);
  await startWorker(api);
  await eventually(inReview, (count) => count === 0, 60_000);
  const [all] = await api.sql<{ count: number }>(
    "SELECT count(*)::integer AS count FROM approval_standing WHERE cas_flow = $1 AND cas_state = 'approved'",
    [caf_id],
  );
  expect(all?.count).toBe(1500);
}, 120_000);
