import { newId } from '@atrium/platform/kernel';
import { eventually, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { addText, indexed, makeBase } from '../knowledge/bases';
import { sentDuring } from '../support/sent-statements';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { ADMIN, orderOf, over, personIn, type PrivacyRequest } from './asking-for-data';
import { hold } from './retaining';

jest.setTimeout(180_000);

let api: RunningApi;
let ours: TestWorkspace;
let admin: Client;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace();
  admin = ours.owner.client;
});
afterAll(() => api.close());

const erasureOf = async (user_id: string): Promise<PrivacyRequest> =>
  over(
    admin,
    (await orderOf(admin, { dsr_kind: 'erasure', dsr_subject_type: 'user', dsr_subject: user_id, execute_after_days: 0 })).dsr_id,
  );
const naming = async (email: string): Promise<string[]> => {
  const found: string[] = [];
  for (const table of ['knowledge_record', 'passage'])
    if ((await api.sql(`SELECT 1 FROM ${table} t WHERE tenant_id = $1 AND strpos(t::text, $2) > 0`, [ours.tenant_id, email])).length > 0)
      found.push(table);
  return found;
};

describe('an erasure that waits for a legal hold', () => {
  it('takes the person out of what is held and of what was derived from it in the meantime, and cannot be cancelled', async () => {
    const person = await personIn(api, ours, 'hedda@quay.example', 'Hedda Quay');
    const { ds_id } = await makeBase(admin);
    const { rec_id } = await addText(admin, ds_id, 'Berths', `Ask ${person.email} for berth nine.`);
    await indexed(admin, ds_id);
    const lh_id = await hold(ours, 'knowledge_base', ds_id);
    const { dsr_id, dsr_status } = await erasureOf(person.user_id);
    expect([dsr_status, await naming(person.email)]).toEqual(['blocked', ['knowledge_record']]);
    const refused = await admin.post(`${ADMIN}/${dsr_id}/cancel`, {}).expect(409);
    expect(refused.body).toMatchObject({ code: 'invalid_state', detail: expect.stringContaining('legal holds') as string });

    const text = `Ask ${person.email} for berth ten.`;
    await admin.patch(`/knowledge-bases/${ds_id}/records/${rec_id}`, { rec_content: { body: text } }).expect(200);
    await eventually(
      () => naming(person.email),
      (tables) => tables.includes('passage'),
      60_000,
    );
    await admin.delete(`/admin/legal-holds/${lh_id}`).expect(204);
    await eventually(
      () => over(admin, dsr_id),
      (request) => request.dsr_status === 'completed',
      90_000,
    );
    expect(await naming(person.email)).toEqual([]);
  });

  it('changes few rows at a time of tables that holds reach, so that another hold is not kept waiting', async () => {
    const person = await personIn(api, ours, 'inga@quay.example', 'Inga Quay');
    await api.sql(
      `INSERT INTO file_history (tenant_id, fh_id, fh_file, fh_action, fh_actor_type, fh_details)
       SELECT $1, n.id, n.id, 'renamed', 'system', '{"from": "List of inga@quay.example"}' FROM unnest($2::uuid[]) n (id)`,
      [ours.tenant_id, Array.from({ length: 250 }, () => newId())],
    );
    const sent = await sentDuring(api, async () => {
      expect(await erasureOf(person.user_id)).toMatchObject({
        dsr_status: 'completed',
        dsr_report: { files: { file_history: { anonymized: 250 } } },
      });
    });
    expect(sent.filter(({ text }) => text.includes('UPDATE "file_history"')).length).toBeGreaterThanOrEqual(3);
  });
});
