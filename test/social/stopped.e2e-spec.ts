import { migrateQueue } from '@atrium/platform/messaging';
import { eventually, type Client } from '@atrium/platform/testing';
import { Hosts } from '../faults/hosts';
import { BRIEF_LEASES } from '../support/api';
import { repeated } from '../support/repeated';
import { Posting, inFuture, type Target } from './posting';

/** How often a worker is killed after a create. */
const KILLS = repeated('SOCIAL_KILLS', { usual: 1, deep: 5 });

let posting: Posting;
let hosts: Hosts;
let client: Client;
let organization: Target;

beforeAll(async () => {
  posting = await Posting.startWithoutWorker(BRIEF_LEASES);
  hosts = new Hosts(posting.environment);
  await migrateQueue(posting.api.database.ownerUrl);
  const connected = await posting.connected();
  ({ organization } = connected);
  client = connected.ours.owner.client;
}, 120_000);
afterEach(() => hosts.close());
afterAll(async () => {
  await hosts.close();
  await posting.stop();
});

const postsWith = (text: string) => posting.linkedin.state.livePosts.filter(({ shown }) => shown.text === text);

it('[social 10] a create that was applied and cut off, or whose worker was killed, is unknown, then published as the one post that is there', async () => {
  await hosts.witness(async () => {
    await hosts.worker();
    posting.linkedin.refuseNext({ route: 'create', cut: true, applied: true });
    const cut = await posting.make(client, { sp_text: 'Cut off', sp_targets: [organization.tgt_id], publish: true });
    await posting.reached(client, cut.sp_id, 'unknown');
    await posting.hasten('social.reconcile');
    expect((await posting.ended(client, cut.sp_id)).variants[0]).toMatchObject({
      spv_state: 'published',
      spv_external_id: postsWith('Cut off')[0]?.urn,
    });
    expect(postsWith('Cut off')).toHaveLength(1);
    await hosts.close();

    for (let kill = 0; kill < KILLS; kill++) {
      const text = `Killed after the create ${kill}`;
      const killed = await hosts.worker();
      posting.linkedin.refuseNext({ route: 'create', held: true, applied: true });
      const { sp_id } = await posting.make(client, { sp_text: text, sp_targets: [organization.tgt_id], publish: true });
      await eventually(
        () => Promise.resolve(postsWith(text)),
        (posts) => posts.length === 1,
        60_000,
      );
      await killed.end('SIGKILL');
      expect((await posting.read(client, sp_id)).variants[0]?.spv_state).toBe('sending');
      await hosts.worker();
      expect((await posting.reached(client, sp_id, 'unknown')).sp_state).toBe('publishing');
      await posting.hasten('social.reconcile');
      const { sp_state, variants } = await posting.ended(client, sp_id);
      expect([sp_state, variants[0]?.spv_external_id]).toEqual(['published', postsWith(text)[0]?.urn]);
      expect(postsWith(text)).toHaveLength(1);
      await hosts.close();
    }
  });
}, 240_000);

it('[social 21] a post whose time came two hours ago, while the service was stopped, fails as missed_window, and a retry sends it', async () => {
  await hosts.witness(async () => {
    const { sp_id } = await posting.make(client, { sp_text: 'Late', sp_targets: [organization.tgt_id], schedule_at: inFuture(5) });
    await posting.moveTime(sp_id, '-2 hours');
    await hosts.worker();
    const failed = await posting.ended(client, sp_id);
    expect([failed.sp_state, failed.variants[0]?.spv_error]).toMatchObject(['failed', { code: 'missed_window', retryable: true }]);
    expect(postsWith('Late')).toEqual([]);
    await client.post(`/social-posts/${sp_id}/retry`).expect(202);
    expect((await posting.ended(client, sp_id)).sp_state).toBe('published');
    expect(postsWith('Late')).toHaveLength(1);
  });
}, 120_000);

it('[social 13] a version that is not active any more is replaced by the newest one that is, once, also for a worker that is started again', async () => {
  await hosts.witness(async () => {
    const month = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - 3, 1));
    const active = `${month.getUTCFullYear()}${String(month.getUTCMonth() + 1).padStart(2, '0')}`;
    posting.linkedin.state.versions = new Set([active]);
    const versionsOf = async (sp_text: string): Promise<readonly unknown[]> => {
      const before = posting.linkedin.state.requests.length;
      const { sp_id } = await posting.make(client, { sp_text, sp_targets: [organization.tgt_id], publish: true });
      expect((await posting.ended(client, sp_id)).sp_state).toBe('published');
      const calls = posting.linkedin.state.requests.slice(before).filter(({ path }) => path === '/rest/posts');
      return calls.map(({ headers }) => headers['linkedin-version']);
    };
    const first = await hosts.worker();
    expect((await versionsOf('With another version')).at(-1)).toBe(active);
    expect(await versionsOf('Straight there')).toEqual([active]);
    await first.end('SIGTERM');
    await hosts.worker();
    expect(await versionsOf('Straight there, after a restart')).toEqual([active]);
  });
}, 120_000);
