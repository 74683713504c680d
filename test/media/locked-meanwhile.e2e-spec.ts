import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Client as Postgres } from 'pg';
import { openUpload, send } from '../files/uploading';
import { sharedAtrium } from '../support/shared-atrium';
import { note } from './tagging';

let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace();
  await ours.owner.client
    .post('/admin/media-status-flows', {
      msf_name: 'Sealing',
      msf_scope: ['media'],
      msf_active: true,
      msf_states: [
        { key: 'open', label: 'Open', initial: true },
        { key: 'sealed', label: 'Sealed', locks_edit: true, final: true },
      ],
      msf_transitions: [{ from: 'open', to: 'sealed' }],
      remap: { active: 'open', in_review: 'open', approved: 'open', archived: 'open' },
    })
    .expect(201);
});
afterAll(() => api.close());

/** A version whose bytes are there and which waits for nothing but its finalization. */
async function waitingVersion(file_id: string): Promise<string> {
  const bytes = Buffer.from('other words');
  const upload = await openUpload(ours.owner.client, { file_name: 'words.md', file_size: bytes.length, upl_file: file_id });
  expect((await send(upload, bytes)).status).toBe(200);
  return upload.upl_id;
}

const versionsOf = async (file_id: string): Promise<number> =>
  (await api.sql('SELECT 1 FROM file_version WHERE tenant_id = $1 AND fv_file = $2', [ours.tenant_id, file_id])).length;

describe('a version of a file that a status locks while its bytes come', () => {
  it('is refused when it is finalized afterwards, and the upload stays open', async () => {
    const { client } = ours.owner;
    const file_id = await note(client);
    const upl_id = await waitingVersion(file_id);
    await client.post('/files/actions/status', { file_ids: [file_id], file_status: 'sealed' }).expect(200);
    expect((await client.post(`/uploads/${upl_id}/finalize`).expect(409)).body).toMatchObject({
      code: 'invalid_state',
      detail: expect.stringContaining('Sealed'),
    });
    expect(await versionsOf(file_id)).toBe(1);
    expect((await client.get(`/uploads/${upl_id}`).expect(200)).body).toMatchObject({ upl_state: 'open' });
  });

  it('is refused when the status comes in the middle of its finalization', async () => {
    const { client } = ours.owner;
    const file_id = await note(client);
    const upl_id = await waitingVersion(file_id);
    const other = new Postgres({ connectionString: api.database.ownerUrl });
    await other.connect();
    await other.query('BEGIN');
    await other.query(`SET LOCAL app.tenant_id = '${ours.tenant_id}'`);
    await other.query("UPDATE file SET file_status = 'sealed', row_version = row_version + 1 WHERE tenant_id = $1 AND file_id = $2", [
      ours.tenant_id,
      file_id,
    ]);
    const finalizing = client.post(`/uploads/${upl_id}/finalize`).then((answer) => answer);
    await eventually(
      () => api.sql('SELECT 1 FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT l.granted AND a.datname = current_database()'),
      (waiting) => waiting.length > 0,
    );
    await other.query('COMMIT');
    await other.end();
    expect((await finalizing).status).toBe(409);
    expect(await versionsOf(file_id)).toBe(1);
  });
});
