import { eventually, type Member, type RunningApi } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { Desk, flowOf, LEAFLET, MadeUpSubjects, NOTICE, refusalOf, sentenceOf, state, transition } from './made-up-subjects';

let api: RunningApi;
let desk: Desk;
let leaflets: MadeUpSubjects;
let notices: MadeUpSubjects;
let owner: Member;
let ada: Member;
let bob: Member;
let eve: Member;
let writer: Member;

beforeAll(async () => {
  api = await startAtrium();
  [leaflets, notices] = [await MadeUpSubjects.start(api, LEAFLET), await MadeUpSubjects.start(api, NOTICE)];
}, 120_000);
afterAll(() => api.close());

/** A workspace of its own for each group, with a flow for each type. */
const begin = async (leaflet: object = {}): Promise<void> => {
  desk = new Desk(api, await api.workspace());
  ({ owner } = desk.ours);
  [ada, bob, eve, writer] = await Promise.all([
    desk.ours.member('editor'),
    desk.ours.member('editor'),
    desk.ours.member('editor'),
    desk.ours.member('contributor'),
  ]);
  await desk.activeFlow(flowOf('leaflet', leaflet));
};

/** A leaflet in review, with a text in English. */
const inReview = async (locale: string | null = 'en'): Promise<string> => {
  const id = await desk.within(() => leaflets.create());
  await desk.within(() => leaflets.edit(id, locale, 'one'));
  await desk.move(writer, leaflets.ref(id, locale), 'submit');
  return id;
};

describe('a transition that needs approvals', () => {
  beforeAll(() => begin());

  it('moves the subject once as many people as it takes have approved, and not the person who asked', async () => {
    const id = await inReview();
    const ref = leaflets.ref(id, 'en');
    expect(await refusalOf(desk.within(() => leaflets.publishDraft(id, 'en')))).toBe('invalid_state');
    const request = await desk.ask(ada, ref, { comment: ' Please look ' });
    expect(request).toMatchObject({
      car_status: 'open',
      car_comment: 'Please look',
      car_requested_by: ada.user_id,
      car_version: 'one',
      car_subject_type: 'leaflet',
      car_locale: 'en',
      car_step: { approved: 0, needed: 2 },
      car_decisions: [],
    });
    expect(await refusalOf(desk.decide(ada, request))).toBe('permission_denied');
    expect(await refusalOf(desk.decide(writer, request))).toBe('permission_denied');
    expect((await desk.decide(bob, request, { comment: 'Fine' })).car_step).toMatchObject({ approved: 1, needed: 2 });
    expect(await desk.stateOf(ref)).toBe('review');
    // A second approval of one person is one.
    expect((await desk.decide(bob, request)).car_status).toBe('open');
    const approved = await desk.decide(eve, request);
    expect(approved).toMatchObject({ car_status: 'approved', car_step: { approved: 2, waiting_for: null } });
    expect(approved.car_decisions.map(({ user, decision, comment }) => [user, decision, comment])).toEqual([
      [bob.user_id, 'approve', null],
      [eve.user_id, 'approve', null],
    ]);
    expect(await desk.stateOf(ref)).toBe('approved');
    expect(await refusalOf(desk.decide(owner, request))).toBe('invalid_state');
    expect(await refusalOf(desk.within(() => leaflets.publishDraft(id, 'en')))).toBe('done');
  });

  it('names flow, state and transition where publishing is refused', async () => {
    const id = await inReview();
    expect(await sentenceOf(desk.within(() => leaflets.publishDraft(id, 'en')))).toBe(
      'The flow Review does not allow publishing in the state The review. Make the transition To approve (approve) first.',
    );
    await desk.ask(ada, leaflets.ref(id, 'en'));
    expect(await sentenceOf(desk.within(() => leaflets.publishDraft(id, 'en')))).toContain('a request for approval is open');
  });

  it('is asked for once at a time, and decided for the content that was shown', async () => {
    const id = await inReview();
    const ref = leaflets.ref(id, 'en');
    const request = await desk.ask(ada, ref);
    expect(await refusalOf(desk.ask(bob, ref))).toBe('invalid_state');
    expect(
      (await desk.openTransitions(ada, ref)).map(({ key, needs_approval, blocked_by }) => [key, needs_approval, blocked_by[0]?.code]),
    ).toEqual([['approve', true, 'invalid_state']]);
    expect(await refusalOf(desk.decide(bob, { ...request, car_hash: 'another' }))).toBe('precondition_failed');
    expect((await desk.get(bob, request.car_id)).car_decisions).toEqual([]);
  });

  it('leaves the gates of other languages closed', async () => {
    const id = await inReview();
    await desk.within(() => leaflets.edit(id, 'de', 'eins'));
    const request = await desk.ask(ada, leaflets.ref(id, 'en'));
    await desk.decide(bob, request);
    await desk.decide(eve, request);
    expect(await desk.stateOf(leaflets.ref(id, 'en'))).toBe('approved');
    expect(await desk.stateOf(leaflets.ref(id, 'de'))).toBe('draft');
    expect(await refusalOf(desk.within(() => leaflets.publishDraft(id, 'de')))).toBe('invalid_state');
  });

  it('is not moved by one rejection, whatever was approved, and not decided twice', async () => {
    const id = await inReview();
    const request = await desk.ask(ada, leaflets.ref(id, 'en'));
    await desk.decide(bob, request);
    expect((await desk.decide(bob, request, { decision: 'reject', comment: 'No' })).car_status).toBe('rejected');
    expect(await desk.stateOf(leaflets.ref(id, 'en'))).toBe('review');
    expect(await refusalOf(desk.decide(eve, request))).toBe('invalid_state');
    expect((await desk.ask(ada, leaflets.ref(id, 'en'))).car_status).toBe('open');
  });

  it('is withdrawn by the person who asked and by those who manage flows', async () => {
    const id = await inReview();
    const [first, others] = [await desk.ask(ada, leaflets.ref(id, 'en')), bob];
    expect(await refusalOf(desk.withdraw(others, first.car_id))).toBe('permission_denied');
    expect((await desk.withdraw(ada, first.car_id)).car_status).toBe('withdrawn');
    expect(await refusalOf(desk.withdraw(ada, first.car_id))).toBe('invalid_state');
    const second = await desk.ask(ada, leaflets.ref(id, 'en'));
    expect((await desk.withdraw(owner, second.car_id)).car_status).toBe('withdrawn');
    expect(await desk.stateOf(leaflets.ref(id, 'en'))).toBe('review');
  });

  it('starts again after an edit', async () => {
    const id = await inReview();
    const request = await desk.ask(ada, leaflets.ref(id, 'en'), { publish: { on_approval: true, at: null } });
    await desk.decide(bob, request);
    await desk.within(() => leaflets.edit(id, 'en', 'two'));
    expect((await desk.get(ada, request.car_id)).car_status).toBe('superseded');
    expect(await desk.stateOf(leaflets.ref(id, 'en'))).toBe('draft');
    expect(await refusalOf(desk.decide(eve, request))).toBe('invalid_state');
    expect(await desk.within(() => leaflets.listPublished(id))).toEqual([]);
    // An approved subject as well.
    const again = await inReview();
    const asked = await desk.ask(ada, leaflets.ref(again, 'en'));
    for (const approver of [bob, eve]) await desk.decide(approver, asked);
    await desk.within(() => leaflets.edit(again, 'en', 'two'));
    expect([await desk.stateOf(leaflets.ref(again, 'en')), (await desk.get(ada, asked.car_id)).car_status]).toEqual(['draft', 'approved']);
  });

  it('keeps the transition as it was asked for when the flow changes', async () => {
    const id = await inReview();
    const request = await desk.ask(ada, leaflets.ref(id, 'en'));
    await desk.within(async () => {
      const flow = (await desk.flows.list({})).data.find(({ caf_active }) => caf_active)!;
      await desk.flows.change(flow.caf_id, {
        wish: { caf_transitions: [transition('submit', 'draft', 'review'), transition('approve', 'review', 'approved', { count: 5 })] },
      });
    });
    await desk.decide(bob, request);
    expect((await desk.decide(eve, request)).car_status).toBe('approved');
    expect(await desk.stateOf(leaflets.ref(id, 'en'))).toBe('approved');
  });

  it('does not count people who may not approve any more', async () => {
    const [id, leaver] = [await inReview(), await desk.ours.member('editor')];
    await desk.within(async () => {
      const flow = (await desk.flows.list({})).data.find(({ caf_active }) => caf_active)!;
      await desk.flows.change(flow.caf_id, {
        wish: { caf_transitions: [transition('submit', 'draft', 'review'), transition('approve', 'review', 'approved', { count: 2 })] },
      });
    });
    const request = await desk.ask(ada, leaflets.ref(id, 'en'));
    await desk.decide(leaver, request);
    await owner.client.delete(`/admin/users/${leaver.user_id}`).expect(204);
    expect((await desk.decide(bob, request)).car_status).toBe('open');
    expect((await desk.decide(eve, request)).car_status).toBe('approved');
  });

  it('shows subjects and requests to those alone who may read them', async () => {
    const id = await desk.within(() => leaflets.create({ hidden_from: [eve.user_id] }));
    const ref = leaflets.ref(id, 'en');
    await desk.move(ada, ref, 'submit');
    const request = await desk.ask(ada, ref);
    expect(await refusalOf(desk.get(eve, request.car_id))).toBe('not_found');
    expect(await refusalOf(desk.decide(eve, request))).toBe('not_found');
    expect(await refusalOf(desk.move(eve, ref, 'submit'))).toBe('not_found');
    expect(await refusalOf(desk.openTransitions(eve, ref))).toBe('not_found');
    const about = { car_subject_id: id };
    expect([await desk.list(bob, about), await desk.list(eve, about)]).toEqual([[request.car_id], []]);
    expect([(await desk.list(bob, { mine: true, ...about })).length, await desk.list(eve, { mine: true, ...about })]).toEqual([1, []]);
    const theirs = await api.workspace();
    expect(await refusalOf(new Desk(api, theirs).get(theirs.owner, request.car_id))).toBe('not_found');
  });

  it('waits for those who may decide and have not', async () => {
    const id = await inReview();
    const { car_id, car_hash } = await desk.ask(ada, leaflets.ref(id, 'en'));
    const waits = async (member: Member) => (await desk.list(member, { mine: true, car_subject_id: id })).includes(car_id);
    expect([await waits(ada), await waits(bob), await waits(eve), await waits(writer)]).toEqual([false, true, true, false]);
    await desk.decide(bob, { car_id, car_hash });
    expect([await waits(bob), await waits(eve)]).toEqual([false, true]);
    await desk.decide(eve, { car_id, car_hash });
    expect([await waits(owner), await desk.list(owner, { car_subject_id: id, car_status: 'approved' })]).toEqual([false, [car_id]]);
    expect(await api.sql('SELECT 1 FROM approval_waiting WHERE caw_request = $1', [car_id])).toEqual([]);
  });

  it('ends with its subject, which begins again once it is restored', async () => {
    const id = await inReview();
    const request = await desk.ask(ada, leaflets.ref(id, 'en'));
    await desk.within(() => leaflets.remove(id));
    const [row] = await api.sql<{ car_status: string }>('SELECT car_status FROM approval_request WHERE car_id = $1', [request.car_id]);
    expect(row?.car_status).toBe('withdrawn');
    expect(await desk.stateOf(leaflets.ref(id, 'en'))).toBe('draft');
  });
});

describe('a request that publishes', () => {
  const publish = { on_approval: true, at: '2027-01-01T09:00:00.000Z' };
  beforeAll(() => begin({ caf_on_edit: 'keep' }));

  it('publishes the version that was approved, although the draft has changed, where one of the people involved may', async () => {
    const id = await inReview();
    const request = await desk.ask(ada, leaflets.ref(id, 'en'), { publish });
    await desk.within(() => leaflets.edit(id, 'en', 'two'));
    await desk.decide(bob, request);
    expect((await desk.decide(owner, request)).car_status).toBe('approved');
    expect(await desk.within(() => leaflets.listPublished(id))).toEqual([
      { locale: 'en', version: 'one', request: request.car_id, by: owner.user_id },
    ]);
    // The changed draft was not approved.
    expect(await sentenceOf(desk.within(() => leaflets.publishDraft(id, 'en')))).toContain('has changed since the flow Review approved it');
  });

  it('publishes by the person who asked, where the one who completes it may not', async () => {
    const id = await inReview();
    const request = await desk.ask(owner, leaflets.ref(id, 'en'), { publish });
    for (const approver of [ada, bob]) await desk.decide(approver, request);
    expect((await desk.within(() => leaflets.listPublished(id))).map(({ by }) => by)).toEqual([owner.user_id]);
  });

  it('publishes by the person who asked, where the one who completes it may only view the subject', async () => {
    const publisher = await desk.ours.member('admin');
    const id = await desk.within(() => leaflets.create({ closed_to: [owner.user_id] }));
    await desk.within(() => leaflets.edit(id, 'en', 'one'));
    await desk.move(writer, leaflets.ref(id, 'en'), 'submit');
    const request = await desk.ask(publisher, leaflets.ref(id, 'en'), { publish });
    await desk.decide(ada, request);
    await desk.decide(bob, request);
    expect((await desk.within(() => leaflets.listPublished(id))).map(({ by }) => by)).toEqual([publisher.user_id]);
  });

  it('only moves where nobody involved may publish, and where that was not asked for', async () => {
    for (const wish of [{ publish }, { publish: { on_approval: false, at: null } }, {}]) {
      const id = await inReview();
      const request = await desk.ask(ada, leaflets.ref(id, 'en'), wish);
      await desk.decide(bob, request);
      await desk.decide('publish' in wish && wish.publish?.on_approval ? eve : owner, request);
      expect([await desk.stateOf(leaflets.ref(id, 'en')), await desk.within(() => leaflets.listPublished(id))]).toEqual(['approved', []]);
    }
  });
});

describe('two types of subjects side by side', () => {
  beforeAll(async () => {
    await begin();
    await desk.activeFlow(
      flowOf('notice', {
        caf_name: 'Posts',
        caf_transitions: [
          transition('submit', 'draft', 'review', { comment: 'required', checks: ['complete', 'polite'] }),
          transition('approve', 'review', 'approved', { count: 1, users: [bob.user_id], on_reject: 'draft' }),
        ],
      }),
    );
  });

  it('[website 35] follow flows of their own, each with its rights, and are listed together', async () => {
    const [leaflet, notice] = [await inReview(), await desk.within(() => notices.create())];
    const ref = notices.ref(notice, null);
    expect(await refusalOf(desk.move(ada, ref, 'submit'))).toBe('validation_failed');
    expect(await refusalOf(desk.move(ada, ref, 'submit', { comment: 'Go' }))).toBe('unprocessable_content');
    expect(
      (await desk.openTransitions(ada, ref)).map(({ key, comment, blocked_by }) => [key, comment, blocked_by.map(({ code }) => code)]),
    ).toEqual([['submit', 'required', ['complete']]]);
    await desk.within(() => notices.edit(notice, null, 'Open on Sunday'));
    expect(await refusalOf(desk.move(writer, ref, 'submit', { comment: 'Go' }))).toBe('permission_denied');
    expect(await desk.move(ada, ref, 'submit', { comment: 'Go' })).toEqual({ locale: null, state: 'review', request: null });
    expect(await refusalOf(desk.move(ada, ref, 'submit', { comment: 'Go' }))).toBe('invalid_state');
    const first = await desk.ask(ada, leaflets.ref(leaflet, 'en'));
    const second = await desk.ask(ada, ref, { publish: { on_approval: true, at: null } });
    expect(second.car_step.waiting_for?.users).toEqual([bob.user_id]);
    expect(await desk.list(bob, { mine: true })).toEqual([second.car_id, first.car_id]);
    expect(await desk.list(eve, { mine: true })).toEqual([first.car_id]);
    expect(await refusalOf(desk.decide(eve, second))).toBe('permission_denied');
    expect(await desk.list(bob, { car_subject_type: 'notice' })).toEqual([second.car_id]);
    await desk.decide(bob, second);
    expect(await desk.within(() => notices.listPublished(notice))).toEqual([
      { locale: null, version: 'Open on Sunday', request: second.car_id, by: bob.user_id },
    ]);
    expect([await desk.stateOf(ref), await desk.stateOf(leaflets.ref(leaflet, 'en'))]).toEqual(['approved', 'review']);
  });

  it('go where a rejection leads', async () => {
    const notice = await desk.within(() => notices.create());
    await desk.within(() => notices.edit(notice, null, 'text'));
    await desk.move(ada, notices.ref(notice, null), 'submit', { comment: 'Go' });
    const request = await desk.ask(ada, notices.ref(notice, null));
    expect((await desk.decide(bob, request, { decision: 'reject' })).car_status).toBe('rejected');
    expect(await desk.stateOf(notices.ref(notice, null))).toBe('draft');
  });
});

/** Given once. */
class Signal {
  give: () => void = () => undefined;
  readonly given = new Promise<void>((resolve) => (this.give = resolve));
}

const waitingForLocks = async (): Promise<number> =>
  (
    await api.sql<{ count: number }>(
      'SELECT count(*)::integer AS count FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT l.granted AND a.datname = current_database()',
    )
  )[0]?.count ?? 0;

describe('people who act at once', () => {
  beforeAll(() => begin());
  const outcomes = async (...work: Promise<unknown>[]): Promise<string[]> => (await Promise.all(work.map(refusalOf))).sort();

  it('complete a request once', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await inReview();
      const request = await desk.ask(owner, leaflets.ref(id, 'en'), { publish: { on_approval: true, at: null } });
      expect(await outcomes(desk.decide(ada, request), desk.decide(bob, request), desk.decide(eve, request))).toEqual([
        'done',
        'done',
        'invalid_state',
      ]);
      expect(await desk.within(() => leaflets.listPublished(id))).toHaveLength(1);
    }
  });

  it('ask once', async () => {
    const id = await inReview();
    const ref = leaflets.ref(id, 'en');
    expect(await outcomes(desk.ask(ada, ref), desk.ask(bob, ref), desk.ask(eve, ref))).toEqual(['done', 'invalid_state', 'invalid_state']);
  });

  it('make the first move of a subject once', async () => {
    const id = await desk.within(() => leaflets.create());
    const ref = leaflets.ref(id, 'en');
    expect(await outcomes(desk.move(ada, ref, 'submit'), desk.move(bob, ref, 'submit'))).toEqual(['done', 'invalid_state']);
  });

  it('do not approve what is being edited', async () => {
    const id = await inReview();
    const request = await desk.ask(ada, leaflets.ref(id, 'en'), { publish: { on_approval: true, at: null } });
    await desk.decide(bob, request);
    const [written, released] = [new Signal(), new Signal()];
    leaflets.duringEdit = () => {
      written.give();
      return released.given;
    };
    const edit = desk.within(() => leaflets.edit(id, 'en', 'two'));
    await written.given;
    const late = refusalOf(desk.decide(owner, request));
    await eventually(waitingForLocks, (count) => count > 0);
    released.give();
    await edit;
    leaflets.duringEdit = () => Promise.resolve();
    expect(await late).toBe('invalid_state');
    expect([await desk.stateOf(leaflets.ref(id, 'en')), await desk.within(() => leaflets.listPublished(id))]).toEqual(['draft', []]);
  });

  it('do not approve what they asked for by another of their roles', async () => {
    const id = await inReview();
    const [role] = await api.sql<{ role_id: string }>("SELECT role_id FROM role WHERE tenant_id = $1 AND role_key = 'admin'", [
      desk.ours.tenant_id,
    ]);
    await api.sql('INSERT INTO user_role_link (tenant_id, user_id, role_id) VALUES ($1, $2, $3)', [
      desk.ours.tenant_id,
      ada.user_id,
      role!.role_id,
    ]);
    const request = await desk.ask(ada, leaflets.ref(id, 'en'));
    expect(await refusalOf(desk.decide(ada, request))).toBe('permission_denied');
    expect((await desk.get(ada, request.car_id)).car_decisions).toEqual([]);
  });
});

describe('a locked state', () => {
  beforeAll(() =>
    begin({
      caf_states: [state('draft'), state('review', { locked: true }), state('approved')],
      caf_transitions: [
        transition('submit', 'draft', 'review'),
        transition('approve', 'review', 'approved', { count: 1, allow_self: true }),
      ],
    }),
  );

  it('refuses changes, and one person may approve their own request where the flow allows it', async () => {
    const id = await inReview();
    const ref = leaflets.ref(id, 'en');
    expect(await sentenceOf(desk.within(() => desk.gate.assertUnlocked(ref)))).toContain('in the state The review of the flow Review');
    expect(await refusalOf(desk.within(() => desk.gate.assertUnlocked(leaflets.ref(id, 'de'))))).toBe('done');
    const request = await desk.ask(ada, ref);
    expect(await desk.list(ada, { mine: true })).toEqual([request.car_id]);
    expect((await desk.decide(ada, request)).car_status).toBe('approved');
  });

  it('is not entered while an edit is on its way, which begins the flow again', async () => {
    const id = await desk.within(() => leaflets.create());
    const [written, released] = [new Signal(), new Signal()];
    leaflets.duringEdit = () => {
      written.give();
      return released.given;
    };
    const edit = desk.within(() => leaflets.edit(id, 'en', 'two'));
    await written.given;
    let isMoved = false;
    const move = desk.move(writer, leaflets.ref(id, 'en'), 'submit').then(() => (isMoved = true));
    await eventually(async () => isMoved || (await waitingForLocks()) > 0, Boolean);
    expect(isMoved).toBe(false);
    released.give();
    await edit;
    leaflets.duringEdit = () => Promise.resolve();
    await move;
    expect(await desk.stateOf(leaflets.ref(id, 'en'))).toBe('review');
  });
});

describe('subjects that are gone', () => {
  beforeAll(() => begin());

  it('end with their language or with all that a condition describes, and leave others as they are', async () => {
    const [gone, kept] = [await inReview(), await inReview()];
    const german = leaflets.ref(gone, 'de');
    await desk.within(() => leaflets.edit(gone, 'de', 'eins'));
    await desk.move(writer, german, 'submit');
    const requests = [
      await desk.ask(ada, leaflets.ref(gone, 'en')),
      await desk.ask(ada, german),
      await desk.ask(ada, leaflets.ref(kept, 'en')),
    ];
    const statuses = () => Promise.all(requests.map(async ({ car_id }) => (await desk.get(ada, car_id)).car_status));
    const lose = (locales: readonly string[] | null, most: number | null) => desk.within(() => leaflets.recordLoss([gone], locales, most));
    expect(await lose(['de'], null)).toEqual({ ended: [gone], isAnything: true });
    expect([await statuses(), await desk.stateOf(german)]).toEqual([['open', 'withdrawn', 'open'], 'draft']);
    expect(await desk.stateOf(leaflets.ref(gone, 'en'))).toBe('review');
    expect(await lose(null, 1)).toEqual({ ended: [gone], isAnything: true });
    expect(await lose(null, 1)).toEqual({ ended: [], isAnything: false });
    expect([await statuses(), await desk.stateOf(leaflets.ref(kept, 'en'))]).toEqual([['withdrawn', 'withdrawn', 'open'], 'review']);
  });
});
