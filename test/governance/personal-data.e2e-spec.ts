import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PersonDataSources } from '@atrium/governance';
import { ScheduleHost } from '@atrium/platform/messaging';
import { photograph, TEST_PASSWORD, type Member, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import type { INestApplicationContext } from '@nestjs/common';
import { settled, upload } from '../files/uploading';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { archiveBytes, archiveOf, dumpMatching, orderOf, over, personIn, type Manifest } from './asking-for-data';

let api: RunningApi;
let worker: INestApplicationContext;
let ours: TestWorkspace;
let theirs: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  worker = api.worker;
  ours = await api.workspace();
  theirs = await api.workspace();
});
afterAll(() => api.close());

interface Row {
  readonly [field: string]: unknown;
}

/** A person who has added a file, marked it, made an album and called with a key. */
async function active(email: string, user_name: string) {
  const person = await personIn(api, ours, email, user_name);
  const bytes = Buffer.from(`written by ${user_name}`);
  const { file_id } = await upload(person.client, 'notes.txt', bytes);
  await settled(person.client, file_id);
  await person.client.patch(`/files/${file_id}/favorite`, { favorite: true });
  await person.client.post('/albums', { album_name: 'Quay', album_description: `Ask ${email.toUpperCase()}.` }).expect(201);
  await person.client.get(`/directory/users?user_name=${encodeURIComponent(email)}`);
  return { ...person, file_id, bytes };
}

/** What else a member does: a photograph, an album, a search and a link of this name. */
async function busy({ client }: Member, name: string, seed: number): Promise<{ readonly file_id: string; readonly bytes: Buffer }> {
  const bytes = await photograph({
    width: 640,
    height: 480,
    seed,
    make: 'Hasselblad',
    model: `Hasselblad ${seed}`,
    taken: '2024:05:17 08:30:00',
    gps: { lat: 53.5, lng: 9.9 },
  });
  const { file_id } = await settled(client, (await upload(client, 'photo.jpg', bytes)).file_id);
  await client.post('/albums', { album_name: name }).expect(201);
  await client
    .post('/saved-searches', { sq_name: name, sq_scope: 'media', sq_query: { where: { field: 'kind', op: 'eq', value: 'image' } } })
    .expect(201);
  await client.post('/share-links', { share_name: name, share_type: 'files', share_file_ids: [file_id] }).expect(201);
  return { file_id, bytes };
}

/** How many rows of the workspace name the person, by registered table: counted beside the export, which must hold no fewer. */
async function namedBy(user_id: string): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  const scoped = new Set(
    (await api.sql<{ name: string }>(`SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'tenant_id'`)).map(
      ({ name }) => name,
    ),
  );
  for (const { context, tables } of api.app.get(PersonDataSources, { strict: false }).listSources()) {
    for (const table of new Set(tables.map((entry) => entry.table))) {
      const columns = tables
        .filter((entry) => entry.table === table && entry.subject === 'user')
        .map(({ column }) => `t.${column}::text = $1`);
      if (columns.length === 0) continue;
      const within = scoped.has(table) ? `t.tenant_id = '${ours.tenant_id}' AND` : '';
      const [row] = await api.sql<{ rows: number }>(
        `SELECT count(*)::integer AS rows FROM ${table} t WHERE ${within} (${columns.join(' OR ')})`,
        [user_id],
      );
      found.set(`${context}/${table}`, row?.rows ?? 0);
    }
  }
  return found;
}

/** Where the distribution has an unpacker, it agrees. */
function openedByUnzip(archive: Buffer): void {
  const path = join(api.dataDir, 'person.zip');
  writeFileSync(path, archive);
  try {
    execFileSync('unzip', ['-tqq', path]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

const [STORAGE_CHANGES, STORED] = ['governance/storage_delta', 'governance/storage_consumption'];

const rowsOf = (archive: ReadonlyMap<string, Buffer>, entry: string): Row[] =>
  JSON.parse(archive.get(entry)?.toString() ?? 'null') as Row[];

/** The seals over the trail as they are compared with it. */
const verdict = async (owner: Member): Promise<{ valid: boolean }> => {
  await worker.get(ScheduleHost).runNow('governance.seal');
  return (await owner.client.post('/admin/audit-events/verify').expect(200)).body as { valid: boolean };
};

describe('an export of a person', () => {
  it("[governance 27] is a ZIP that unpackers open, whose manifest hashes match, with every registered table, all rows that name the person and all their files, and nothing that is another one's", async () => {
    const ada = await active('ada@quay.example', 'Ada Lindgren');
    const ben = await active('ben@quay.example', 'Ben Okoro');
    const [photo, portrait] = [await busy(ada, 'Pier at dusk', 27), await busy(ben, 'Keel of the cutter', 28)];
    const named = await namedBy(ada.user_id);
    expect([...named].filter(([, rows]) => rows > 0).map(([table]) => table)).toEqual(
      expect.arrayContaining([
        'files/file',
        'files/file_pref',
        'files/saved_search',
        'files/upload',
        'files/file_history',
        'media/album',
        'distribution/share_link',
        'identity/api_key',
      ]),
    );
    const { dsr_id } = await orderOf(ours.owner.client, { dsr_kind: 'export', dsr_subject_type: 'user', dsr_subject: ada.user_id });
    const done = await over(ours.owner.client, dsr_id);
    expect(done).toMatchObject({ dsr_status: 'completed', dsr_error: null, dsr_done: done.dsr_total });
    const archive = await archiveOf(ours.owner.client, dsr_id);
    openedByUnzip(await archiveBytes(ours.owner.client, dsr_id));
    const manifest = JSON.parse(archive.get('manifest.json')?.toString() ?? '') as Manifest;

    expect(manifest.lost).toEqual([]);
    expect([...archive.keys()].filter((name) => name !== 'manifest.json').sort()).toEqual(manifest.entries.map(({ name }) => name).sort());
    for (const { name, sha256, bytes } of manifest.entries) {
      expect({
        name,
        sha256: createHash('sha256')
          .update(archive.get(name) ?? '')
          .digest('hex'),
        bytes: archive.get(name)?.length,
      }).toEqual({ name, sha256, bytes });
    }
    const registered = api.app
      .get(PersonDataSources, { strict: false })
      .listSources()
      .flatMap(({ context, tables }) => tables.map(({ table }) => `${context}/${table}.json`));
    expect(new Set(manifest.entries.map(({ name }) => name).filter((name) => !name.startsWith('bytes/')))).toEqual(new Set(registered));

    const exported = (table: string): number => rowsOf(archive, `${table}.json`).length;
    for (const [table, rows] of named) {
      // Every ten seconds the worker adds what has changed to what is stored: the rows are in the one table or the other.
      if (table === STORAGE_CHANGES) expect(exported(table) + exported(STORED)).toBeGreaterThan(0);
      else expect([table, exported(table) >= rows]).toEqual([table, true]);
    }
    expect(archive.get(`bytes/${ada.file_id}/notes.txt`)).toEqual(ada.bytes);
    expect(archive.get(`bytes/${photo.file_id}/photo.jpg`)).toEqual(photo.bytes);
    expect([...archive.keys()].filter((name) => name.startsWith('bytes/'))).toHaveLength(2);
    expect(
      rowsOf(archive, 'files/file.json')
        .map(({ file_id }) => file_id)
        .sort(),
    ).toEqual([ada.file_id, photo.file_id].sort());
    expect(
      rowsOf(archive, 'media/album.json')
        .map(({ album_name }) => album_name)
        .sort(),
    ).toEqual(['Pier at dusk', 'Quay']);
    expect(rowsOf(archive, 'files/saved_search.json')).toMatchObject([{ sq_name: 'Pier at dusk' }]);
    expect(rowsOf(archive, 'distribution/share_link.json')).toMatchObject([{ share_name: 'Pier at dusk' }]);
    expect(rowsOf(archive, 'identity/workspace_user.json')).toMatchObject([
      { user_id: ada.user_id, user_email: 'ada@quay.example', user_name: 'Ada Lindgren' },
    ]);
    expect(rowsOf(archive, 'identity/account.json')).toMatchObject([{ acc_email: 'ada@quay.example' }]);
    expect(rowsOf(archive, 'identity/account_session.json')).toHaveLength(1);
    expect(done.dsr_report.files?.file).toMatchObject({ exported: 2, deleted: 0 });

    const all = [...archive.values()].map((bytes) => bytes.toString('utf8')).join('\n');
    for (const foreign of [ben.user_id, ben.email, ben.file_id, 'Ben Okoro', portrait.file_id, 'Keel of the cutter', 'Hasselblad 28'])
      expect(all).not.toContain(foreign);
    const [{ key_hash, acc_password_hash }] = (await api.sql<{ key_hash: string; acc_password_hash: string }>(
      'SELECT key_hash, acc_password_hash FROM api_key JOIN account ON acc_id = key_user WHERE key_user = $1',
      [ada.user_id],
    )) as [{ key_hash: string; acc_password_hash: string }];
    expect([all.includes(key_hash), all.includes(acc_password_hash)]).toEqual([false, false]);
  }, 90_000);

  it('leaves the bytes of files out when that is asked for, and can be fetched for seven days', async () => {
    const person = await active('cleo@quay.example', 'Cleo');
    const { dsr_id } = await orderOf(ours.owner.client, {
      dsr_kind: 'export',
      dsr_subject_type: 'email',
      dsr_subject: ' Cleo@Quay.example ',
      dsr_include_files: false,
    });
    const done = await over(ours.owner.client, dsr_id);
    expect(Math.round((Date.parse(done.dsr_expires_at ?? '') - Date.now()) / 86_400_000)).toBe(7);
    const archive = await archiveOf(ours.owner.client, dsr_id);
    expect([...archive.keys()].filter((name) => name.startsWith('bytes/'))).toEqual([]);
    expect(rowsOf(archive, 'files/file.json')).toMatchObject([{ file_id: person.file_id }]);

    await api.sql(`UPDATE privacy_request SET dsr_expires_at = now() - interval '1 second' WHERE dsr_id = $1`, [dsr_id]);
    expect((await ours.owner.client.get(`/admin/privacy-requests/${dsr_id}/download-url`).expect(410)).body).toMatchObject({
      code: 'gone',
    });
    await worker.get(ScheduleHost).runNow('governance.privacy-archives');
    expect(await api.sql('SELECT dsr_archive FROM privacy_request WHERE dsr_id = $1', [dsr_id])).toEqual([{ dsr_archive: null }]);
    expect((await ours.owner.client.get(`/admin/privacy-requests/${dsr_id}/download-url`).expect(410)).body).toMatchObject({
      code: 'gone',
    });
  }, 90_000);

  it('holds every row of thousands, page by page', async () => {
    const person = await personIn(api, ours, 'dora@quay.example', 'Dora');
    await api.sql(
      `INSERT INTO album (tenant_id, album_id, album_name, album_created_by) SELECT $1, gen_random_uuid(), 'Album ' || n, $2 FROM generate_series(1, 1234) n`,
      [ours.tenant_id, person.user_id],
    );
    const { dsr_id } = await orderOf(ours.owner.client, { dsr_kind: 'export', dsr_subject_type: 'user', dsr_subject: person.user_id });
    await over(ours.owner.client, dsr_id);
    const albums = rowsOf(await archiveOf(ours.owner.client, dsr_id), 'media/album.json');
    expect(new Set(albums.map(({ album_name }) => album_name)).size).toBe(1234);
  }, 90_000);
});

describe('an erasure of a person', () => {
  it('[governance 28] leaves Former member, files with their author, and the address in no table; elsewhere the person is untouched', async () => {
    const email = 'eve.harbour+1@quay.example';
    const eve = await active(email, 'Eve Harbour');
    await ours.owner.client.patch(`/admin/users/${eve.user_id}`, { user_title: 'Pilot', user_metadata: { mail: email } }).expect(200);
    await ours.owner.client.get(`/admin/users?user_email=${encodeURIComponent(email)}`).expect(200);
    await ours.owner.client.post('/albums', { album_name: 'Pier', album_metadata: { by: `x\n${email}`, other: `n${email}` } }).expect(201);
    const fay = await active('fay@quay.example', 'Fay');
    const elsewhere = await personIn(api, theirs, 'fay@quay.example', 'Fay elsewhere');
    expect(elsewhere.user_id).toBe(fay.user_id);
    const colour = { mem_value: 'My favourite colour is teal.' };
    for (const { client } of [eve, fay, elsewhere]) await client.post('/memories', colour).expect(201);
    const remembered = (): Promise<object[]> =>
      api.sql('SELECT tenant_id, mem_user FROM memory WHERE mem_user = ANY ($1) ORDER BY mem_created', [[eve.user_id, fay.user_id]]);
    await worker.get(ScheduleHost).runNow('governance.seal');

    const ordered = await orderOf(ours.owner.client, {
      dsr_kind: 'erasure',
      dsr_subject_type: 'email',
      dsr_subject: email,
      execute_after_days: 0,
    });
    const done = await over(ours.owner.client, ordered.dsr_id);
    expect(done).toMatchObject({ dsr_status: 'completed', dsr_error: null, dsr_subject: '[erased]', dsr_done: done.dsr_total });
    expect(done.dsr_report.identity).toMatchObject({
      api_key: { deleted: 1 },
      workspace_user: { anonymized: 1 },
      account: { anonymized: 1 },
    });
    expect(done.dsr_report.files?.file).toMatchObject({
      kept: 1,
      kept_because: expect.stringContaining('belong to the workspace') as string,
    });

    expect((await ours.owner.client.get(`/admin/users/${eve.user_id}`).expect(200)).body).toMatchObject({
      user_name: 'Former member',
      user_email: null,
      user_title: null,
      user_status: 'removed',
      user_metadata: {},
    });
    expect((await ours.owner.client.get(`/files/${eve.file_id}`).expect(200)).body).toMatchObject({ file_added_by: eve.user_id });
    await eve.client.get('/me').expect(401);
    await eve.session.get('/me').expect((answer) => expect([401, 403]).toContain(answer.status));
    await api.stranger.post('/auth/login', { email, password: TEST_PASSWORD }).expect(401);
    expect(await api.sql('SELECT 1 FROM api_key WHERE key_user = $1', [eve.user_id])).toEqual([]);
    expect(await remembered()).toEqual([
      { tenant_id: ours.tenant_id, mem_user: fay.user_id },
      { tenant_id: theirs.tenant_id, mem_user: fay.user_id },
    ]);
    expect(await api.sql('SELECT 1 FROM account_session WHERE acc_id = $1', [eve.user_id])).toEqual([]);
    expect(await api.sql('SELECT acc_status, acc_password_hash FROM account WHERE acc_id = $1', [eve.user_id])).toEqual([
      { acc_status: 'erased', acc_password_hash: null },
    ]);
    const isOf =
      (other: string) =>
      (row: string): boolean =>
        row.includes(other);
    expect((await dumpMatching(api, email)).filter((row) => !isOf(`n${email}`)(row))).toEqual([]);
    expect(await dumpMatching(api, 'Eve Harbour')).toEqual([]);
    expect(await verdict(ours.owner)).toMatchObject({ valid: true });

    const both = await orderOf(ours.owner.client, {
      dsr_kind: 'erasure',
      dsr_subject_type: 'user',
      dsr_subject: fay.user_id,
      execute_after_days: 0,
    });
    expect(await over(ours.owner.client, both.dsr_id)).toMatchObject({
      dsr_status: 'completed',
      dsr_report: { identity: { account: { anonymized: 0 } } },
    });
    expect((await theirs.owner.client.get(`/admin/users/${fay.user_id}`).expect(200)).body).toMatchObject({
      user_name: 'Fay elsewhere',
      user_email: 'fay@quay.example',
      user_status: 'active',
    });
    await elsewhere.session.get('/me').expect(200);
    await elsewhere.client.get('/me').expect(200);
    await fay.client.get('/me').expect(401);
    expect(await remembered()).toEqual([{ tenant_id: theirs.tenant_id, mem_user: fay.user_id }]);
    expect((await elsewhere.client.get('/memories').expect(200)).body.data).toMatchObject([colour]);
    expect(await api.sql('SELECT tenant_id FROM workspace_user WHERE user_email = $1', ['fay@quay.example'])).toEqual([
      { tenant_id: theirs.tenant_id },
    ]);
  }, 120_000);

  it('hides no tampering: what was changed before shows after it', async () => {
    const workspace = await api.workspace();
    const gil = await personIn(api, workspace, 'gil@quay.example', 'Gil');
    await workspace.owner.client.patch(`/admin/users/${gil.user_id}`, { user_title: 'Stoker' }).expect(200);
    expect(await verdict(workspace.owner)).toMatchObject({ valid: true });
    await api.sql(
      `UPDATE audit_event SET aud_after = '{"user_title": "Captain"}' WHERE tenant_id = $1 AND aud_target_id = $2 AND aud_type = 'user.updated'`,
      [workspace.tenant_id, gil.user_id],
    );
    const { dsr_id } = await orderOf(workspace.owner.client, {
      dsr_kind: 'erasure',
      dsr_subject_type: 'user',
      dsr_subject: gil.user_id,
      execute_after_days: 0,
    });
    expect(await over(workspace.owner.client, dsr_id)).toMatchObject({ dsr_status: 'completed' });
    expect(await verdict(workspace.owner)).toMatchObject({ valid: false, first_break: { kind: 'changed' } });
    expect(await dumpMatching(api, 'gil@quay.example')).toEqual([]);
  }, 90_000);

  it('goes on where a worker was lost, and asks no context twice', async () => {
    const hal = await active('hal@quay.example', 'Hal');
    const { dsr_id } = await orderOf(ours.owner.client, {
      dsr_kind: 'erasure',
      dsr_subject_type: 'user',
      dsr_subject: hal.user_id,
      execute_after_days: 3,
    });
    const report = { file: { exported: 0, deleted: 0, anonymized: 0, kept: 7, kept_because: 'told before' } };
    await api.sql(`UPDATE privacy_request SET dsr_status = 'running', dsr_report = $2 WHERE dsr_id = $1`, [
      dsr_id,
      JSON.stringify({ files: report }),
    ]);
    await api.sql(`UPDATE outbox SET ev_due = now() WHERE ev_name = 'governance.privacy' AND ev_payload ->> 'dsr_id' = $1`, [dsr_id]);
    const done = await over(ours.owner.client, dsr_id);
    expect(done).toMatchObject({ dsr_status: 'completed', dsr_report: { files: report, identity: { workspace_user: { anonymized: 1 } } } });
  }, 90_000);

  it('lets nothing through of a mailbox that only resembles, and finds an address that no member has', async () => {
    await ours.owner.client
      .post('/albums', { album_name: 'Buoys', album_description: 'Write to ida@quay.example or aida@quay.example.' })
      .expect(201);
    const { dsr_id } = await orderOf(ours.owner.client, {
      dsr_kind: 'erasure',
      dsr_subject_type: 'email',
      dsr_subject: 'ida@quay.example',
      execute_after_days: 0,
    });
    expect(await over(ours.owner.client, dsr_id)).toMatchObject({
      dsr_status: 'completed',
      dsr_report: { media: { album: { anonymized: 1 } } },
    });
    expect(await api.sql(`SELECT album_description FROM album WHERE album_name = 'Buoys'`)).toEqual([
      { album_description: 'Write to [erased] or aida@quay.example.' },
    ]);
  }, 90_000);
});
