import { newId } from '@atrium/platform/kernel';
import { ScheduleHost } from '@atrium/platform/messaging';
import { eventually, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { MailServer } from '../identity/mail-server';
import { startAtrium, startWorker } from '../support/api';
import { LiveSite } from './live-site';
import { makePages, type PageNode, type Pages } from './pages';

const DAY_MS = 86_400_000;

interface Schedule {
  readonly sch_id: string;
  readonly sch_node: string | null;
  readonly sch_nodes: readonly string[] | null;
  readonly sch_action: string;
  readonly sch_freeze: boolean;
  readonly sch_version: string | null;
  readonly sch_locales: readonly string[] | null;
  readonly sch_status: string;
  readonly sch_error: string | null;
  readonly sch_created_by: string;
}

const server = new MailServer();
let api: RunningApi;
let ours: TestWorkspace;
let pages: Pages;
let live: LiveSite;

const tomorrow = (): string => new Date(Date.now() + DAY_MS).toISOString();
const scheduleAt = (sch_id: string): string => `/sites/${pages.site.site_id}/schedules/${sch_id}`;
const book = async (node_id: string, order: object = {}, client: Client = ours.owner.client): Promise<Schedule> =>
  (await client.post(`/sites/${pages.site.site_id}/nodes/${node_id}/publish`, { at: tomorrow(), locales: ['en'], ...order }).expect(201))
    .body as Schedule;
const readSchedule = async (sch_id: string): Promise<Schedule> =>
  (await ours.owner.client.get(scheduleAt(sch_id)).expect(200)).body as Schedule;
const cancel = (sch_id: string) => ours.owner.client.delete(scheduleAt(sch_id));
const page = (node_name: string): Promise<PageNode> => pages.make(node_name, { node_content: { headline: node_name } });
const headline = async (path: string): Promise<unknown> => (await live.page(path).expect(200)).body.content.headline;

/** The moment of the schedules has come. */
const comeDue = async (...sch_ids: readonly string[]): Promise<void> => {
  await api.sql(`UPDATE publish_schedule SET sch_at = now() - interval '1 second' WHERE sch_id = ANY($1)`, [sch_ids]);
};
const finished = (sch_id: string): Promise<Schedule> =>
  eventually(
    () => readSchedule(sch_id),
    ({ sch_status }) => sch_status !== 'waiting',
    60_000,
  );
const runDue = async (...sch_ids: readonly string[]): Promise<readonly Schedule[]> => {
  await comeDue(...sch_ids);
  await api.worker.get(ScheduleHost).runNow('website.publish');
  return Promise.all(sch_ids.map(finished));
};
const isPinned = async (ver_id: string | null): Promise<boolean | undefined> =>
  (await api.sql<{ ver_pinned: boolean }>(`SELECT ver_pinned FROM page_version WHERE ver_id = $1`, [ver_id]))[0]?.ver_pinned;

beforeAll(async () => {
  api = await startAtrium({ SMTP_URL: await server.start(), MAIL_FROM: 'Atrium <atrium@mail.example>' });
  ours = await api.workspace([]);
}, 120_000);
beforeEach(async () => {
  pages = await makePages(ours.owner.client);
  live = await LiveSite.of(api, pages);
});
afterAll(async () => {
  await api.close();
  await server.stop();
});

describe('due schedules', () => {
  const due = async (most: number): Promise<readonly string[]> =>
    (await api.sql<{ sch_id: string }>(`SELECT sch_id FROM publish_schedules_due($1)`, [most])).map(({ sch_id }) => sch_id);

  it('begin in turn, however many another workspace has, and those that are queued are left out', async () => {
    const ones: Schedule[] = [];
    for (let count = 0; count < 3; count++) ones.push(await book((await page(`Page ${count}`)).node_id));
    const theirs = await api.workspace([]);
    const their = await makePages(theirs.owner.client);
    const node = await their.make('Theirs', { node_content: { headline: 'T' } });
    const at = `/sites/${their.site.site_id}/nodes/${node.node_id}/publish`;
    const last = (await theirs.owner.client.post(at, { at: tomorrow() }).expect(201)).body as Schedule;
    for (const [place, { sch_id }] of [...ones, last].entries())
      await api.sql(`UPDATE publish_schedule SET sch_at = now() - interval '1 hour' + $2 * interval '1 minute' WHERE sch_id = $1`, [
        sch_id,
        place,
      ]);
    const [first, second, third] = ones.map(({ sch_id }) => sch_id);
    expect(await due(10)).toEqual([first, last.sch_id, second, third]);
    expect(await due(2)).toEqual([first, last.sch_id]);
    await api.sql(
      `INSERT INTO outbox (tenant_id, ev_id, ev_kind, ev_name, ev_subject, ev_key, ev_payload, ev_actor, ev_request)
       SELECT $1, id, 'job', 'website.publish', id, $2, '{}', '{"kind": "system", "user_id": null, "key_id": null}', 'test' FROM gen_random_uuid() id`,
      [ours.tenant_id, first],
    );
    expect(await due(2)).toEqual([second, last.sch_id]);
    await api.sql(`DELETE FROM outbox WHERE ev_name = 'website.publish'`);
    await api.sql(`UPDATE publish_schedule SET sch_status = 'cancelled', sch_finished = now() WHERE sch_status = 'waiting'`);
  });
});

/** The first test starts the worker that the others use. */
describe('[website 8] a scheduled publish', () => {
  it('puts the frozen version live once by itself when a worker is there, never a cancelled one, and fails without the right', async () => {
    const [frozen, cancelled, refused] = [await page('Frozen'), await page('Cancelled'), await page('Refused')];
    const editor = await ours.member('editor');
    // A contact who may see the site no more hears nothing of it.
    const former = await ours.member('viewer');
    await ours.owner.client.patch(`/sites/${pages.site.site_id}`, { site_contacts: [ours.owner.user_id, former.user_id] }).expect(200);
    await ours.owner.client.patch(`/admin/users/${former.user_id}`, { user_roles: [] }).expect(200);
    const [first, second] = [await book(frozen.node_id), await book(cancelled.node_id)];
    const third = await book(refused.node_id, {}, editor.client);
    expect(third.sch_created_by).toBe(editor.user_id);
    await pages.write(frozen.node_id, { headline: 'Changed since' }).expect(200);
    await cancel(second.sch_id).expect(204);
    await cancel(second.sch_id).expect(204);
    await ours.owner.client.patch(`/admin/users/${editor.user_id}`, { user_roles: [] }).expect(200);
    // No worker runs when their moment comes.
    await comeDue(first.sch_id, second.sch_id, third.sch_id);
    expect((await readSchedule(first.sch_id)).sch_status).toBe('waiting');
    await live.page('/frozen').expect(404);

    await startWorker(api);
    expect(await finished(first.sch_id)).toMatchObject({ sch_status: 'done', sch_error: null });
    expect(await headline('/frozen')).toBe('Frozen');
    expect(live.stateOf(await pages.read(frozen.node_id), 'en')).toBe('changed');
    expect(await finished(third.sch_id)).toMatchObject({
      sch_status: 'failed',
      sch_error: 'The member who created the schedule no longer has the permission site:publish.',
    });
    await live.page('/refused').expect(404);

    await api.worker.get(ScheduleHost).runNow('website.publish');
    expect((await readSchedule(second.sch_id)).sch_status).toBe('cancelled');
    await live.page('/cancelled').expect(404);
    expect([await live.seq(), await live.countPublications()]).toEqual([1, 1]);

    const mails = await eventually(
      () => Promise.resolve(server.mails),
      ({ length }) => length >= 2,
      60_000,
    );
    expect(mails.map(({ to, mail }) => [to.join(), mail.subject]).sort()).toEqual(
      [editor.email, ours.owner.email].map((email) => [email, 'Not published as scheduled: Refused']).sort(),
    );
    expect(mails[0]?.mail.text).toContain('no longer has the permission site:publish');
  }, 180_000);
});

describe('a schedule', () => {
  it('publishes the draft of its moment where nothing is frozen, and fails where that draft has errors', async () => {
    const [lamp, desk] = [await page('Lamp'), await page('Desk')];
    const [first, second] = [await book(lamp.node_id, { freeze: false }), await book(desk.node_id, { freeze: false })];
    expect([first.sch_freeze, first.sch_version]).toEqual([false, null]);
    await pages.write(lamp.node_id, { headline: 'Newer' }).expect(200);
    await pages.write(desk.node_id, {}).expect(200);
    const [done, failed] = await runDue(first.sch_id, second.sch_id);
    expect([done?.sch_status, await headline('/lamp')]).toEqual(['done', 'Newer']);
    expect(failed).toMatchObject({ sch_status: 'failed', sch_error: 'Headline is required.' });
    await live.page('/desk').expect(404);
  });

  it('publishes several pages under one number, or none of them', async () => {
    const made = [await page('One'), await page('Two'), await page('Three')];
    const node_ids = made.map(({ node_id }) => node_id);
    const schedule = (await live.publishAll({ node_ids, locales: ['en'], at: tomorrow() }).expect(201)).body as Schedule;
    expect([schedule.sch_node, schedule.sch_nodes, schedule.sch_version]).toEqual([null, node_ids, null]);
    for (const { node_id } of made) await pages.write(node_id, {}).expect(200);
    expect((await runDue(schedule.sch_id))[0]?.sch_status).toBe('done');
    expect(await live.seq()).toBe(1);
    for (const name of ['One', 'Two', 'Three']) expect(await headline(`/${name.toLowerCase()}`)).toBe(name);

    const again = (await live.publishAll({ node_ids, locales: ['en'], at: tomorrow(), freeze: false }).expect(201)).body as Schedule;
    await pages.write(node_ids[0] ?? '', { headline: 'Newer' }).expect(200);
    expect((await runDue(again.sch_id))[0]?.sch_status).toBe('failed');
    expect([await headline('/one'), await live.seq()]).toEqual(['One', 1]);
  });

  it('is carried out once by two workers', async () => {
    const lamp = await page('Lamp');
    const schedule = await book(lamp.node_id);
    const second = await startWorker(api);
    await comeDue(schedule.sch_id);
    await Promise.all([api.worker, second].map((worker) => worker.get(ScheduleHost).runNow('website.publish')));
    expect((await finished(schedule.sch_id)).sch_status).toBe('done');
    expect([await live.seq(), await live.countPublications()]).toEqual([1, 1]);
    const emitted = await api.sql(`SELECT 1 FROM outbox WHERE ev_name LIKE '%page.published%' AND ev_payload::text LIKE $1`, [
      `%${lamp.node_id}%`,
    ]);
    expect(emitted.length).toBeLessThanOrEqual(1);
  }, 120_000);

  it('keeps the frozen version as long as a schedule waits for it or it is live', async () => {
    const lamp = await page('Lamp');
    const [first, second] = [await book(lamp.node_id), await book(lamp.node_id)];
    expect(second.sch_version).toBe(first.sch_version);
    expect(await isPinned(first.sch_version)).toBe(true);
    await cancel(first.sch_id).expect(204);
    expect(await isPinned(first.sch_version)).toBe(true);
    await pages.write(lamp.node_id, { headline: 'Newer' }).expect(200);
    expect((await runDue(second.sch_id))[0]?.sch_status).toBe('done');
    expect([await headline('/lamp'), await isPinned(first.sch_version)]).toEqual(['Lamp', true]);
  });

  it('keeps a version that was named until it is over', async () => {
    const lamp = await page('Lamp');
    const version = await live.newestVersion(lamp.node_id);
    const schedule = await book(lamp.node_id, { version });
    expect([schedule.sch_freeze, await isPinned(schedule.sch_version)]).toEqual([true, true]);
    await cancel(schedule.sch_id).expect(204);
    expect(await isPinned(schedule.sch_version)).toBe(false);
  });

  it('is cancelled with the page that goes to the trash', async () => {
    const [top, below, other] = [await page('Top'), await page('Below'), await page('Other')];
    await pages.change(below.node_id, { node_parent: top.node_id }).expect(200);
    const single = await book(below.node_id);
    const node_ids = [below.node_id, other.node_id];
    const several = (await live.publishAll({ node_ids, at: tomorrow() }).expect(201)).body as Schedule;
    const kept = await book(other.node_id);
    await pages.remove(top.node_id, '?children=delete').expect(204);
    expect((await readSchedule(single.sch_id)).sch_status).toBe('cancelled');
    expect((await readSchedule(several.sch_id)).sch_status).toBe('cancelled');
    expect((await readSchedule(kept.sch_id)).sch_status).toBe('waiting');
    expect(await isPinned(single.sch_version)).toBe(false);
  });
});

describe('the time of a publish', () => {
  it('is at least a minute and at most two years ahead', async () => {
    const lamp = await page('Lamp');
    const at = (ms: number): object => ({ at: new Date(Date.now() + ms).toISOString() });
    for (const order of [at(-DAY_MS), at(30_000)]) await live.tryPublish(lamp.node_id, order).expect(400, /"path":"at","code":"min"/);
    await live.tryPublish(lamp.node_id, at(732 * DAY_MS)).expect(400, /"path":"at","code":"max"/);
    await live.publishAll({ node_ids: [lamp.node_id], ...at(30_000) }).expect(400, /"path":"at","code":"min"/);
    const answer = await live.tryPublish(lamp.node_id, at(90_000)).expect(201);
    expect(answer.headers.location).toBe(`/api/v1${scheduleAt((answer.body as Schedule).sch_id)}`);
    await live.tryPublish(lamp.node_id, at(729 * DAY_MS)).expect(201);
  });

  it('is booked only for pages of the site that are not in the trash, in its locales', async () => {
    const lamp = await page('Lamp');
    const elsewhere = await (await makePages(ours.owner.client)).make('Elsewhere');
    const at = tomorrow();
    for (const id of [newId(), elsewhere.node_id]) {
      await live.tryPublish(id, { at }).expect(404);
      await live.publishAll({ node_ids: [lamp.node_id, id], at }).expect(400, /node_ids\[1\].*reference/);
    }
    await live.tryPublish(lamp.node_id, { at, locales: ['fr'] }).expect(400, /locales\[0\]/);
    await live.tryPublish(lamp.node_id, { at, version: 99 }).expect(400, /version/);
    await pages.remove(lamp.node_id).expect(204);
    await live.tryPublish(lamp.node_id, { at }).expect(409, /trash/);
  });

  it('can be booked 50 times for a page, until one of the schedules is over', async () => {
    const lamp = await page('Lamp');
    const schedules: Schedule[] = [];
    for (let count = 0; count < 50; count++) schedules.push(await book(lamp.node_id));
    await live.tryPublish(lamp.node_id, { at: tomorrow() }).expect(409, /limit_reached/);
    const other = await page('Other');
    await live.publishAll({ node_ids: [other.node_id, lamp.node_id], at: tomorrow() }).expect(409, /limit_reached/);
    await cancel(schedules[0]?.sch_id ?? '').expect(204);
    await book(lamp.node_id);
  });

  it('is seen by those who see the site and cancelled by those who may publish', async () => {
    const lamp = await page('Lamp');
    const { sch_id } = await book(lamp.node_id);
    const viewer = await ours.member('viewer');
    const theirs = (await api.workspace([])).owner.client;
    const list = `/sites/${pages.site.site_id}/schedules`;
    expect((await viewer.client.get(`${list}?sch_status=waiting`).expect(200)).body.data).toMatchObject([{ sch_id }]);
    expect((await viewer.client.get(`${list}?sch_status=done`).expect(200)).body.data).toEqual([]);
    await viewer.client.delete(scheduleAt(sch_id)).expect(403, /site:publish/);
    await theirs.get(scheduleAt(sch_id)).expect(404);
    await theirs.delete(scheduleAt(sch_id)).expect(404);
    const other = await makePages(ours.owner.client);
    await ours.owner.client.get(`/sites/${other.site.site_id}/schedules/${sch_id}`).expect(404);
    await ours.owner.client.delete(`/sites/${other.site.site_id}/schedules/${sch_id}`).expect(404);
  });

  it('fails where the site has none of its locales any more', async () => {
    const lamp = await page('Lamp');
    const { sch_id } = await book(lamp.node_id, { locales: ['de'] });
    const en = { code: 'en', prefix: '' };
    await ours.owner.client.patch(`/sites/${pages.site.site_id}`, { site_locales: [en], drop_locales: ['de'] }).expect(200);
    expect((await runDue(sch_id))[0]).toMatchObject({
      sch_status: 'failed',
      sch_error: 'None of the locales of the schedule is an active locale of the site.',
    });
    expect(await live.countPublications()).toBe(0);
  });

  it('does no more than the key with which it was booked may at that time', async () => {
    const editor = await ours.member('editor');
    const [lamp, desk] = [await page('Lamp'), await page('Desk')];
    const [first, second] = [await book(lamp.node_id, {}, editor.client), await book(desk.node_id, {}, editor.client)];
    expect((await runDue(first.sch_id))[0]?.sch_status).toBe('done');
    await api.sql(`UPDATE api_key SET key_scopes = '{site:view,site:edit}' WHERE key_user = $1`, [editor.user_id]);
    expect((await runDue(second.sch_id))[0]?.sch_status).toBe('failed');
    await live.page('/desk').expect(404);
  });
});
