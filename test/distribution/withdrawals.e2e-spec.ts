import { ScheduleHost } from '@atrium/platform/messaging';
import { drawPicture, eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { newId } from '@atrium/platform/kernel';
import type { INestApplicationContext } from '@nestjs/common';
import { storeFile } from '../files/stored-files';
import { startAtrium, startWorker } from '../support/api';
import { LoopbackEdges, PURGE } from './loopback-edges';
import { publicationOf, publish, published, refusalAt, statusAt, type Publication } from './publishing';

const edges = new LoopbackEdges();
let api: RunningApi;
let worker: INestApplicationContext;
let ours: TestWorkspace;
let picture: Buffer;

beforeAll(async () => {
  api = await startAtrium(await edges.start());
  worker = await startWorker(api);
  ours = await api.workspace(['module-publication']);
  picture = await drawPicture({ width: 64, height: 48, format: 'png' });
}, 60_000);
afterAll(async () => {
  await api.close();
  edges.stop();
});

const live = async (): Promise<Publication> =>
  published(
    ours.owner.client,
    (
      await storeFile(api, ours, {
        name: 'portrait.png',
        type: 'image/png',
        kind: 'image',
        bytes: Buffer.concat([picture, Buffer.from(newId())]),
      })
    ).file_id,
  );

async function somebodyOn(file_id: string, person_consent: object = { status: 'granted' }): Promise<string> {
  const { person_id } = (await ours.owner.client.post('/people', { person_name: `Ada ${newId()}`, person_consent }).expect(201)).body as {
    person_id: string;
  };
  await ours.owner.client
    .post('/faces', { face_file: file_id, face_box: { x: 0.1, y: 0.1, width: 0.2, height: 0.2 }, face_person: person_id })
    .expect(201);
  return person_id;
}

/** The hourly look at what has ended. */
const look = (): Promise<void> => worker.get(ScheduleHost, { strict: false }).runNow('media.rights');

/** Gone for visitors, for the workspace with its reason, and at the edges outside. */
async function expectWithdrawn({ pub_file, pub_url }: Publication, reason: string): Promise<void> {
  expect(await publicationOf(ours.owner.client, pub_file)).toMatchObject({ pub_state: 'revoked', pub_revoked_reason: reason });
  expect(
    await eventually(
      () => refusalAt(pub_url),
      ({ status }) => status === 410,
    ),
  ).toMatchObject({ code: 'gone' });
  const key = pub_url.split('/p/')[1]?.split('/')[0] ?? '';
  const removed = new RegExp(`^DELETE /edge/policies/${key}$`);
  await eventually(
    () => Promise.resolve(edges.told),
    (told) => told.some(({ call, status }) => removed.test(call) && status === 200),
    60_000,
  );
  const since = edges.told.findIndex(({ call }) => removed.test(call));
  await eventually(
    () => Promise.resolve(edges.told.slice(since)),
    (told) => told.some(({ call, status, body }) => PURGE.test(call) && status === 200 && body.urls?.includes(pub_url)),
    60_000,
  );
}

const refusal = async ({ pub_file }: Publication): Promise<string> =>
  (await ours.owner.client.post(`/files/${pub_file}/publication`, { distribution: 'worldwide' }).expect(409)).body.code as string;

describe('a publication is taken back', () => {
  it('when somebody on the picture withdraws their consent, or is found on it without one; who goes on all the same says why', async () => {
    const [publication, other] = [await live(), await live()];
    const person_id = await somebodyOn(publication.pub_file);
    expect(await statusAt(publication.pub_url)).toBe(200);
    await ours.owner.client.patch(`/people/${person_id}`, { person_consent: { status: 'refused', note: 'By mail.' } }).expect(200);
    await expectWithdrawn(publication, 'consent');
    expect(await refusal(publication)).toBe('invalid_state');
    await publish(
      ours.owner.client,
      publication.pub_file,
      { distribution: 'worldwide', comment: 'They agreed to this one on paper.' },
      200,
    );
    await ours.owner.client
      .patch(`/people/${person_id}`, { person_consent: { status: 'refused', note: 'By mail and by phone.' } })
      .expect(200);
    expect(await publicationOf(ours.owner.client, publication.pub_file)).toMatchObject({ pub_state: 'published' });
    expect(await statusAt(other.pub_url)).toBe(200);
    await somebodyOn(other.pub_file, { status: 'refused' });
    await expectWithdrawn(other, 'consent');
  }, 120_000);

  it('when the time is over for which somebody agreed, once: what is released in the knowledge of it stays', async () => {
    const publication = await live();
    const person_id = await somebodyOn(publication.pub_file, { status: 'granted', until: new Date(Date.now() + 86_400_000).toISOString() });
    await look();
    expect(await publicationOf(ours.owner.client, publication.pub_file)).toMatchObject({ pub_state: 'published' });
    await api.sql(`UPDATE person SET person_consent_until = now() WHERE person_id = $1`, [person_id]);
    await look();
    await expectWithdrawn(publication, 'consent');
    await publish(
      ours.owner.client,
      publication.pub_file,
      { distribution: 'worldwide', comment: 'Asked again; the paper is on its way.' },
      200,
    );
    await look();
    expect(await publicationOf(ours.owner.client, publication.pub_file)).toMatchObject({ pub_state: 'published' });
  }, 120_000);

  it('when the rights to the file end', async () => {
    const publication = await live();
    await ours.owner.client
      .put(`/files/${publication.pub_file}`, { file_metadata: { rights: { expires: new Date(Date.now() + 1_000).toISOString() } } })
      .expect(200);
    await eventually(
      async () => look().then(() => publicationOf(ours.owner.client, publication.pub_file)),
      ({ pub_state }) => pub_state === 'revoked',
      60_000,
    );
    await expectWithdrawn(publication, 'rights');
    expect(await refusal(publication)).toBe('invalid_state');
  }, 120_000);

  it('when the file comes into a status that is not for the public', async () => {
    const publication = await live();
    await api.sql(
      `UPDATE media_status_flow SET msf_states = (SELECT jsonb_agg(CASE WHEN s ->> 'key' = 'archived' THEN s || '{"allows_publish": false}' ELSE s END) FROM jsonb_array_elements(msf_states) s) WHERE tenant_id = $1`,
      [ours.tenant_id],
    );
    await ours.owner.client.post('/files/actions/status', { file_ids: [publication.pub_file], file_status: 'archived' }).expect(200);
    await expectWithdrawn(publication, 'status');
    expect(await refusal(publication)).toBe('invalid_state');
  }, 120_000);
});
