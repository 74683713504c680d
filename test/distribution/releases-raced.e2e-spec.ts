import { Client as Connection } from 'pg';
import { ConsentExpiry, ConsentSources, DuplicateCarriers, FaceSorting, RightsExpiry } from '@atrium/media';
import { Database, inWorkspace } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { eventually, faceVector, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { storeFile } from '../files/stored-files';
import { sharedAtrium } from '../support/shared-atrium';
import { publicationOf, publish } from './publishing';
import { filesSeen, guest, type OwnLink } from './sharing';

let api: RunningApi;
let ours: TestWorkspace;
let me: Client;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace(['module-publication', 'module-documents']);
  me = ours.owner.client;
  await api.sql(
    `UPDATE media_status_flow SET msf_states = (SELECT jsonb_agg(CASE WHEN s ->> 'key' = 'archived' THEN s || '{"allows_publish": false}' ELSE s END) FROM jsonb_array_elements(msf_states) s) WHERE tenant_id = $1`,
    [ours.tenant_id],
  );
}, 60_000);
afterAll(() => api.close());

const BOX = { x: 0.1, y: 0.1, width: 0.2, height: 0.2 };
/** As long as a release takes on a busy machine, and longer. */
const SOON_MS = 3_000;

const portrait = async (): Promise<string> =>
  (await storeFile(api, ours, { name: 'portrait.png', type: 'image/png', kind: 'image', bytes: Buffer.from(newId()), read: true })).file_id;

const somebody = async (person_consent: object): Promise<string> =>
  ((await me.post('/people', { person_name: `Ada ${newId()}`, person_consent }).expect(201)).body as { person_id: string }).person_id;

const name = async (face_file: string, face_person: string): Promise<void> => {
  await me.post('/faces', { face_file, face_box: BOX, face_person }).expect(201);
};

/** As the machine leaves a face that it is not sure of. */
async function suggested(face_file: string, person: string): Promise<string> {
  const face_id = newId();
  await api.sql(
    "INSERT INTO face (tenant_id, face_id, face_file, face_box, face_source, face_state) VALUES ($1, $2, $3, $4, 'detected', 'suggested')",
    [ours.tenant_id, face_id, face_file, JSON.stringify(BOX)],
  );
  await api.sql('INSERT INTO face_suggestion (tenant_id, fsg_face, fsg_person, fsg_distance) VALUES ($1, $2, $3, 0.5)', [
    ours.tenant_id,
    face_id,
    person,
  ]);
  return face_id;
}

/** The sessions that wait for a lock in this database. */
const waiting = (): Promise<{ pid: number }[]> =>
  api.sql(
    'SELECT DISTINCT l.pid FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT l.granted AND a.datname = current_database()',
  );

const untilWaiting = (count: number): Promise<unknown> => eventually(waiting, ({ length }) => length >= count, 30_000);

/** Holds a lock while the work begins; what it answers is open until the lock is gone. */
async function held<T>(lock: string, values: readonly unknown[], begin: () => Promise<T>): Promise<T> {
  const gate = new Connection({ connectionString: api.database.ownerUrl });
  await gate.connect();
  try {
    await gate.query('BEGIN');
    await gate.query(lock, [...values]);
    return await begin();
  } finally {
    await gate.end();
  }
}

/** A release that is decided and not written yet; what withdraws it begins, and comes to its end or waits. */
async function releasedMeanwhile(file_id: string, withdraw: () => PromiseLike<unknown>): Promise<void> {
  const open = await held('LOCK TABLE publication IN SHARE MODE', [], async () => {
    const releasing = publish(me, file_id);
    await untilWaiting(1);
    let isDone = false;
    const withdrawing = Promise.resolve(withdraw()).finally(() => (isDone = true));
    await eventually(
      async () => isDone || (await waiting()).length > 1,
      (settled) => settled,
      30_000,
    );
    return [releasing, withdrawing];
  });
  await Promise.all(open);
}

const look = (): Promise<void> => api.app.get(RightsExpiry, { strict: false }).reportExpired(ours.tenant_id);

const until = (at: Date): Promise<unknown> =>
  eventually(
    () => Promise.resolve(Date.now()),
    (now) => now > at.getTime(),
    30_000,
  );

type Way = readonly [string, string, (file_id: string) => Promise<() => PromiseLike<unknown>>];

const WAYS: readonly Way[] = [
  [
    'somebody on it refuses',
    'consent',
    async (file) => {
      const person = await somebody({ status: 'granted' });
      await name(file, person);
      return () => me.patch(`/people/${person}`, { person_consent: { status: 'refused' } }).expect(200);
    },
  ],
  [
    'the time is over for which somebody on it agreed',
    'consent',
    async (file) => {
      const person = await somebody({ status: 'granted', until: '2099-01-01T00:00:00Z' });
      await name(file, person);
      return () => api.sql('UPDATE person SET person_consent_until = now() WHERE person_id = $1', [person]).then(look);
    },
  ],
  [
    'somebody who refused is named on it',
    'consent',
    async (file) => {
      const person = await somebody({ status: 'refused' });
      return () => name(file, person);
    },
  ],
  [
    'a suggestion is accepted that shows somebody who refused',
    'consent',
    async (file) => {
      const person = await somebody({ status: 'refused' });
      const accept = [await suggested(file, person)];
      return () => me.post(`/people/${person}/suggestions`, { accept }).expect(200);
    },
  ],
  [
    'the rights to it end',
    'rights',
    async (file) => {
      const end = new Date(Date.now() + SOON_MS);
      await me.put(`/files/${file}`, { file_metadata: { rights: { expires: end.toISOString() } } }).expect(200);
      return () => until(end).then(look);
    },
  ],
  [
    'it comes into a status that is not for the public',
    'status',
    async (file_id) => () => me.post('/files/actions/status', { file_ids: [file_id], file_status: 'archived' }).expect(200),
  ],
];

describe('a release and a withdrawal in the same instant', () => {
  it.each(WAYS)(
    'leave nothing released when %s',
    async (_, pub_revoked_reason, prepare) => {
      const file = await portrait();
      await releasedMeanwhile(file, await prepare(file));
      expect(await publicationOf(me, file)).toMatchObject({ pub_state: 'revoked', pub_revoked_reason });
    },
    60_000,
  );

  it('refuse the release when the withdrawal comes first, and no link shows the file', async () => {
    const file = await portrait();
    const person = await somebody({ status: 'granted' });
    await name(file, person);
    const open = await held('SELECT 1 FROM face WHERE face_person = $1 FOR UPDATE', [person], async () => {
      const withdrawing = me.patch(`/people/${person}`, { person_consent: { status: 'refused' } }).then(({ status }) => status);
      await untilWaiting(1);
      const link = (await me.post('/share-links', { share_name: 'Portrait', share_type: 'files', share_file_ids: [file] }).expect(201))
        .body as OwnLink;
      const releasing = me.post(`/files/${file}/publication`, { distribution: 'worldwide' }).then(({ status }) => status);
      await untilWaiting(2);
      return [withdrawing, releasing, filesSeenAfter(withdrawing, link)] as const;
    });
    expect(await Promise.all(open)).toEqual([200, 409, []]);
    await me.get(`/files/${file}/publication`).expect(404);
  }, 60_000);
});

async function filesSeenAfter(withdrawing: Promise<unknown>, link: OwnLink): Promise<unknown[]> {
  await withdrawing;
  return filesSeen(guest(api), link);
}

describe('a file that comes to another repository', () => {
  it('is taken back when it begins there in a state that is not for the public', async () => {
    const file = await portrait();
    await publish(me, file);
    const msf_states = [
      { key: 'draft', label: 'Draft', initial: true, allows_publish: false },
      { key: 'done', label: 'Done' },
    ];
    await me
      .post('/admin/media-status-flows', {
        msf_name: 'Papers',
        msf_scope: ['docs'],
        msf_active: true,
        msf_states,
        msf_transitions: [{ from: 'draft', to: 'done' }],
      })
      .expect(201);
    await me.post(`/files/${file}/move`, { file_repo: { library: ['docs'] } }).expect(200);
    expect(await publicationOf(me, file)).toMatchObject({ pub_state: 'revoked', pub_revoked_reason: 'status' });
  });
});

describe('what shows people who do not agree is taken back', () => {
  const released = async (file_id: string): Promise<void> => void (await publish(me, file_id));
  const expectConsentMissing = async (file_id: string): Promise<void> =>
    expect(await publicationOf(me, file_id)).toMatchObject({ pub_state: 'revoked', pub_revoked_reason: 'consent' });

  it('when a suggestion names them, when a merge of people is taken back, and when a duplicate brings them to the file that is kept', async () => {
    const [file, other, kept] = [await portrait(), await portrait(), await portrait()];
    const refused = await somebody({ status: 'refused' });
    const face = await suggested(file, refused);
    await released(file);
    await me.post(`/people/${refused}/suggestions`, { accept: [face] }).expect(200);
    await expectConsentMissing(file);

    const agreed = await somebody({ status: 'granted' });
    await name(other, refused);
    const { undo_id } = (await me.post(`/people/${agreed}/merge`, { person_ids: [refused] }).expect(200)).body as { undo_id: string };
    await released(other);
    await me.post(`/people/${agreed}/split`, { undo_id }).expect(200);
    await expectConsentMissing(other);

    await released(kept);
    await inWorkspace(ours.tenant_id, () =>
      api.app
        .get(Database, { strict: false })
        .write(() => api.app.get(DuplicateCarriers, { strict: false }).carryOver(['people'], { keepers: [kept], others: [other] })),
    );
    await expectConsentMissing(kept);
  }, 60_000);

  it('when they refuse while a machine gives a face to them', async () => {
    const [known, found] = [await portrait(), await portrait()];
    const person = await somebody({ status: 'granted' });
    await released(found);
    const vector = JSON.stringify(faceVector(7)).replace('[', '{').replace(']', '}');
    const face =
      'INSERT INTO face (tenant_id, face_id, face_file, face_box, face_source, face_model, face_embedding, face_person, face_state, face_decided, face_clustered)';
    await api.sql(`${face} VALUES ($1, gen_random_uuid(), $2, $3, 'detected', 'loopback', $4, $5, 'assigned', true, true)`, [
      ours.tenant_id,
      known,
      JSON.stringify(BOX),
      vector,
      person,
    ]);
    await api.sql(`${face} VALUES ($1, gen_random_uuid(), $2, $3, 'detected', 'loopback', $4, NULL, 'unassigned', false, false)`, [
      ours.tenant_id,
      found,
      JSON.stringify(BOX),
      vector,
    ]);
    const open = await held('SELECT 1 FROM face WHERE face_person = $1 FOR UPDATE', [person], async () => {
      const refusing = me.patch(`/people/${person}`, { person_consent: { status: 'refused' } }).then(({ status }) => status);
      await untilWaiting(1);
      const sorting = inWorkspace(ours.tenant_id, () => api.app.get(FaceSorting, { strict: false }).sortFaces(AbortSignal.timeout(30_000)));
      await untilWaiting(2);
      return [refusing, sorting];
    });
    expect((await Promise.all(open))[0]).toBe(200);
    expect(await api.sql('SELECT 1 FROM face WHERE face_file = $1 AND face_person = $2', [found, person])).toHaveLength(1);
    await expectConsentMissing(found);
  }, 60_000);

  it('however long ago their consent ended: some files at a time, and on from there when a look was cut off', async () => {
    const files = [await portrait(), await portrait(), await portrait()].sort();
    const person = await somebody({ status: 'granted', until: '2099-01-01T00:00:00Z' });
    for (const file of files) {
      await name(file, person);
      await released(file);
    }
    await api.sql("UPDATE person SET person_consent_until = now() - interval '400 days' WHERE person_id = $1", [person]);
    await api.sql(
      "UPDATE publication_history h SET ph_created = now() - interval '500 days' FROM publication p WHERE p.tenant_id = h.tenant_id AND p.pub_id = h.ph_publication AND p.pub_file = ANY($1)",
      [files],
    );
    const states = (): Promise<string[]> => Promise.all(files.map(async (file) => (await publicationOf(me, file)).pub_state));
    const consents = api.app.get(ConsentExpiry, { strict: false });
    const [ending] = api.app.get(ConsentSources, { strict: false }).listEnding();
    if (!ending) throw new Error('The consents of people end.');
    const place = await inWorkspace(ours.tenant_id, () => consents.expireBatch(ending, null, 1));
    expect(await states()).toEqual(['revoked', 'published', 'published']);
    expect(place).toMatchObject({ id: person, file_id: files[0] });
    expect(
      await inWorkspace(ours.tenant_id, () => api.app.get(Database, { strict: false }).read(() => consents.findPosition(ending))),
    ).toEqual(place);
    await look();
    expect(await states()).toEqual(['revoked', 'revoked', 'revoked']);
    await publish(me, files[0] ?? '', { distribution: 'worldwide', comment: 'Asked again; they agree to this one.' }, 200);
    await look();
    expect(await states()).toEqual(['published', 'revoked', 'revoked']);
  }, 60_000);
});
