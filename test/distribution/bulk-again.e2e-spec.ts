import { eventually, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import fc from 'fast-check';
import { endedJob, makeGroup, makeTag, notes } from '../media/tagging';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { publicationOf } from './publishing';

type Act = (client: Client, file_ids: readonly string[]) => Promise<void>;

const FILES = 4;

let api: RunningApi;
let ours: TestWorkspace;
let album: string;
let group: string;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  ours = await api.workspace(['module-publication', 'module-documents']);
  const { client } = ours.owner;
  album = (await client.post('/albums', { album_name: 'Again' }).expect(201)).body.album_id as string;
  group = await makeGroup(client, {
    mtg_name: 'Season',
    mtg_multiple: true,
    mtg_rules: [{ query_search: { where: { field: 'file_name', op: 'contains', value: 'note' } }, value: 'Autumn' }],
  });
  for (const mt_value of ['Winter', 'Summer']) await makeTag(client, { mt_group: group, mt_value });
});
afterAll(() => api.close());

const inBackground =
  (path: string, more: object = {}): Act =>
  async (client, file_ids) => {
    const answer = await client.post(path, { ...more, ...(file_ids.length > 0 ? { file_ids } : {}) });
    if (answer.status === 202) await endedJob(client, String(answer.headers.location));
    else expect([200, 404, 409]).toContain(answer.status);
  };

const ACTS: Readonly<Record<string, Act>> = {
  publish: inBackground('/publications/actions/publish', { distribution: 'worldwide' }),
  'publish with rules': inBackground('/publications/actions/publish', { distribution: 'restricted', deny: ['FR', 'host:example.com'] }),
  'publish later': inBackground('/publications/actions/publish', { distribution: 'worldwide', start: '2099-01-01T00:00:00.000Z' }),
  unpublish: inBackground('/publications/actions/unpublish'),
  refresh: inBackground('/publications/actions/refresh'),
  status: inBackground('/files/actions/status', { file_status: 'in_review' }),
  'status back': inBackground('/files/actions/status', { file_status: 'active' }),
  tag: inBackground('/files/actions/media-tags', { add: { Season: ['Winter'] } }),
  untag: inBackground('/files/actions/media-tags', { remove: { Season: ['Winter'] }, add: { Season: ['Summer'] } }),
  'tags by rules': (client) => inBackground(`/admin/media-tag-groups/${group}/apply-rules`)(client, []),
  'into the album': (client, file_ids) => inBackground(`/albums/${album}/files`)(client, file_ids),
  'out of the album': async (client, file_ids) => void (await client.delete(`/albums/${album}/files`).send({ file_ids }).expect(200)),
  move: inBackground('/files/actions/move', { file_repo: { library: ['docs'] } }),
  'move back': inBackground('/files/actions/move', { file_repo: { library: ['media'] } }),
  trash: inBackground('/files/actions/delete'),
  restore: inBackground('/files/actions/restore'),
  reindex: (client) => inBackground('/files/actions/reindex', { repo_type: 'media' })(client, []),
};

/** Everything that remembers changes: the audit trail, the histories, and the reports about publications. */
const journals = (): Promise<Record<string, unknown>[]> =>
  api.sql(
    `SELECT 'audit' AS journal, aud_type AS what, coalesce(aud_target_id::text, '') AS of, count(*)::int AS times FROM audit_event WHERE tenant_id = $1 GROUP BY 2, 3
     UNION ALL SELECT 'publication', ph_action, ph_publication::text, count(*)::int FROM publication_history WHERE tenant_id = $1 GROUP BY 2, 3
     UNION ALL SELECT 'file', fh_action, fh_file::text, count(*)::int FROM file_history WHERE tenant_id = $1 GROUP BY 2, 3
     UNION ALL SELECT 'event', ev_name, coalesce(ev_subject::text, ''), count(*)::int FROM outbox WHERE tenant_id = $1 AND ev_kind = 'event' AND (ev_name LIKE 'publication.%' OR ev_name = 'audit.recorded') GROUP BY 2, 3
     ORDER BY 1, 2, 3`,
    [ours.tenant_id],
  );

/** Nothing is on its way any more: what follows from an act is written too. */
async function atRest(client: Client, file_ids: readonly string[]): Promise<void> {
  await eventually(
    () =>
      api.sql(
        "SELECT 1 FROM outbox WHERE tenant_id = $1 AND ev_done IS NULL AND (ev_kind = 'job' OR ev_sent IS NULL) AND ev_due <= now()",
        [ours.tenant_id],
      ),
    (open) => open.length === 0,
    60_000,
  );
  for (const file_id of file_ids) {
    const { status } = await client.get(`/files/${file_id}/publication`);
    if (status === 200)
      await eventually(
        () => publicationOf(client, file_id),
        ({ pub_copy_state }) => pub_copy_state !== 'pending' && pub_copy_state !== 'copying',
        60_000,
      );
  }
}

describe('work on many files that is done once more', () => {
  it('writes nothing into any journal, whatever was done before', async () => {
    const { client } = ours.owner;
    const files = await notes(client, FILES);
    await eventually(
      () => Promise.all(files.map((file_id) => client.get(`/files/${file_id}`))),
      (all) => all.every(({ body }) => body.file_processing === 'ready'),
      60_000,
    );
    const step = fc.record({ act: fc.constantFrom(...Object.keys(ACTS)), chosen: fc.subarray(files, { minLength: 1 }) });
    const each = Object.keys(ACTS).map((act) => ({ act, chosen: files }));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 6 }), async (steps) => {
        for (const { act, chosen } of steps) {
          await ACTS[act]?.(client, chosen);
          await atRest(client, chosen);
          const before = await journals();
          await ACTS[act]?.(client, chosen);
          await atRest(client, chosen);
          expect({ act, journals: await journals() }).toEqual({ act, journals: before });
        }
      }),
      { numRuns: 4, examples: [[each]], endOnFailure: true },
    );
  }, 300_000);
});
