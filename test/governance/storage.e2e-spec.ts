import { Sweep } from '@atrium/files';
import { StorageRollup } from '@atrium/governance';
import { newId } from '@atrium/platform/kernel';
import { ObjectStore } from '@atrium/platform/storage';
import { drawPicture, eventually, photograph, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import type { INestApplicationContext } from '@nestjs/common';
import { openUpload, send, sendUpload, settled, upload, type StoredFile, type Uploaded } from '../files/uploading';
import { operatorOf } from '../support/operating';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { assertCounted, consumption, padded } from './storing';

const MEGABYTE = 1_000_000;

let api: RunningApi;
let worker: INestApplicationContext;
let rollup: StorageRollup;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  worker = api.worker;
  rollup = worker.get(StorageRollup, { strict: false });
});
afterAll(() => api.close());

const told = async ({ tenant_id }: TestWorkspace, name: string): Promise<object[]> =>
  (
    await api.sql<{ ev_payload: object }>(
      'SELECT ev_payload FROM outbox WHERE tenant_id = $1 AND ev_name = $2 ORDER BY ev_created, ev_id',
      [tenant_id, name],
    )
  ).map(({ ev_payload }) => ev_payload);
const setQuota = ({ tenant_id }: TestWorkspace, quota_bytes: number | null) =>
  operatorOf(api).patch(`/workspaces/${tenant_id}/quota`, { quota_bytes });
const overview = async ({ owner }: TestWorkspace) =>
  (await owner.client.get('/admin/storage').expect(200)).body as Record<string, unknown> & { quota_used: number; quota_reserved: number };
const text = (content: string): Buffer => Buffer.from(content.repeat(40));

describe('what is stored', () => {
  it('[governance 15] moves with a photograph from original to trash by exactly its bytes, and is nothing once it was purged', async () => {
    const workspace = await api.workspace();
    const { client } = workspace.owner;
    const picture = await photograph({
      width: 1_600,
      height: 1_200,
      seed: 15,
      make: 'Atrium',
      model: 'Harbour 1',
      taken: '2024:05:17 08:30:00',
    });
    const { file_id } = await upload(client, 'harbour.jpg', picture, { file_type: 'image/jpeg' });
    const file = await settled(client, file_id);
    expect(file.file_replicas).toBe('small,medium,large');
    await client.get(`/files/${file_id}/image-data?replica=thumbnail`).expect(200);
    const before = await consumption(workspace);
    expect(before.original).toEqual([picture.length, 1]);
    expect(before.rendition?.[1]).toBe(3);
    expect(before.trash).toBeUndefined();

    await client.delete(`/files/${file_id}`).expect(204);
    expect(await consumption(workspace)).toEqual({ trash: [picture.length, 1], rendition: before.rendition });
    expect(await consumption(workspace, 'family')).toEqual({ image: [picture.length + before.rendition![0], 4] });
    expect((await overview(workspace)).quota_used).toBe(picture.length);
    await rollup.rollUpStorage();
    expect(await consumption(workspace)).toEqual({ trash: [picture.length, 1], rendition: before.rendition });

    const [{ blob_key }] = (await api.sql<{ blob_key: string }>('SELECT blob_key FROM file_blob WHERE tenant_id = $1', [
      workspace.tenant_id,
    ])) as [{ blob_key: string }];
    const store = api.app.get(ObjectStore, { strict: false });
    expect(await store.stat(blob_key)).toMatchObject({ size: picture.length });
    const sweep = worker.get(Sweep, { strict: false });
    await api.sql("UPDATE file SET file_purge_at = now() - interval '1 second' WHERE file_id = $1", [file_id]);
    await sweep.sweepFiles();
    expect(await consumption(workspace)).toEqual({});
    expect(await overview(workspace)).toMatchObject({ quota_used: 0, quota_reserved: 0, by_class: [], by_provider: [] });
    await api.sql("UPDATE file_blob SET blob_orphaned = now() - interval '25 hours' WHERE tenant_id = $1", [workspace.tenant_id]);
    await sweep.sweepFiles();
    expect(await store.stat(blob_key)).toBeNull();
    for await (const { key } of store.list(`t/${workspace.tenant_id}/`)) throw new Error(`${key} is left in the bucket`);
    await assertCounted(api, workspace);
  }, 120_000);

  it('is counted as a count of all rows gives, after whatever was done in any order, rolled up or not', async () => {
    const workspace = await api.workspace();
    const other = await workspace.member('editor');
    const picture = await drawPicture({ width: 700, height: 500, format: 'png' });
    const files: string[] = [];
    let seed = 7;
    const chance = (sides: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % sides;
    const any = (): string => files[chance(files.length)] ?? newId();
    const clients = [workspace.owner.client, other.client];
    const steps: (() => Promise<unknown>)[] = [
      async () => files.push((await upload(clients[chance(2)]!, `a-${chance(9)}.txt`, text(`note ${chance(4)}`))).file_id),
      async () =>
        files.push((await upload(clients[chance(2)]!, 'p.png', picture, { file_type: chance(2) ? 'image/png' : undefined })).file_id),
      () => clients[0]!.put(`/files/${any()}/content`, { content: `text ${chance(6)} `.repeat(50) }),
      async () => {
        const opened = (await clients[0]!.post(`/files/${any()}/versions`, { file_name: 'v.txt', file_size: 400 })).body as Uploaded;
        if (!opened.upl_url || !chance(3)) return;
        await send(opened, text('version !!').subarray(0, 400));
        await clients[0]!.post(`/uploads/${opened.upl_id}/finalize`);
      },
      () => clients[0]!.delete(`/files/${any()}`),
      () => clients[0]!.post(`/files/${any()}/restore`),
      async () => {
        const id = any();
        const { data = [] } = (await clients[0]!.get(`/files/${id}/versions`)).body as { data?: { fv_id: string }[] };
        const version = data[chance(data.length || 1)];
        if (version)
          await (chance(2)
            ? clients[0]!.post(`/files/${id}/versions/${version.fv_id}/restore`)
            : clients[0]!.delete(`/files/${id}/versions/${version.fv_id}`));
      },
      () => clients[0]!.post('/files/actions/purge', { file_ids: [any(), any()].filter((id, i, all) => all.indexOf(id) === i) }),
      async () => {
        const { upl_id } = await openUpload(clients[chance(2)]!, { file_name: 'never.bin', file_size: 5_000 });
        if (chance(2)) await clients[0]!.delete(`/uploads/${upl_id}`);
      },
      () => rollup.rollUpStorage(),
    ];
    for (let round = 0; round < 25; round++) {
      await Promise.all(Array.from({ length: 3 }, () => steps[round < 2 ? chance(2) : chance(steps.length)]!()));
    }
    await eventually(
      () =>
        api.sql<{ left: number }>("SELECT count(*)::int AS left FROM file WHERE tenant_id = $1 AND file_processing = 'pending'", [
          workspace.tenant_id,
        ]),
      ([row]) => row?.left === 0,
      60_000,
    );
    await eventually(
      () =>
        api.sql<{ left: number }>('SELECT count(*)::int AS left FROM outbox WHERE tenant_id = $1 AND ev_kind = $2 AND ev_done IS NULL', [
          workspace.tenant_id,
          'job',
        ]),
      ([row]) => row?.left === 0,
      60_000,
    );
    await assertCounted(api, workspace);
    const archive = (
      await clients[0]!
        .post('/download-jobs', {
          file_ids: (
            await api.sql<{ file_id: string }>('SELECT file_id FROM file WHERE tenant_id = $1 AND file_deleted IS NULL', [
              workspace.tenant_id,
            ])
          ).map(({ file_id }) => file_id),
        })
        .expect(202)
    ).body as { job_id: string };
    await eventually(
      () => clients[0]!.get(`/download-jobs/${archive.job_id}`),
      ({ body }) => body.status === 'completed',
      60_000,
    );
    expect((await consumption(workspace)).export?.[1]).toBe(1);
    await assertCounted(api, workspace);
    await rollup.rollUpStorage();
    await assertCounted(api, workspace);
    await api.sql("UPDATE upload SET upl_expires = now() - interval '1 second' WHERE tenant_id = $1", [workspace.tenant_id]);
    await api.sql("UPDATE download_job SET expires_at = now() - interval '1 second' WHERE tenant_id = $1", [workspace.tenant_id]);
    await worker.get(Sweep, { strict: false }).sweepFiles();
    await assertCounted(api, workspace);
    expect((await overview(workspace)).quota_reserved).toBe(0);
    expect((await consumption(workspace)).export).toBeUndefined();
  }, 240_000);

  it('calls families as the lists of files do', async () => {
    const types = [
      'image/png',
      'video/mp4',
      'application/mxf',
      'audio/ogg',
      'application/ogg',
      'font/woff2',
      'application/vnd.ms-fontobject',
      'application/zip',
      'application/pdf',
      'text/csv',
      'application/vnd.ms-excel',
      'application/vnd.oasis.opendocument.text',
      'application/x-elf',
      'application/octet-stream',
    ];
    const rows = await api.sql<{ family: string }>(
      'SELECT file_family(t) AS family FROM unnest($1::text[]) WITH ORDINALITY AS n (t, i) ORDER BY i',
      [types],
    );
    expect(rows.map(({ family }) => family)).toEqual([
      'image',
      'video',
      'video',
      'audio',
      'audio',
      'font',
      'font',
      'archive',
      'document',
      'document',
      'document',
      'document',
      'other',
      'other',
    ]);
  });
});

describe('the storage quota', () => {
  it('[governance 16] of 10 MB lets exactly ten of twenty parallel uploads of 1 MB finalize, and keeps nothing set aside', async () => {
    const workspace = await api.workspace();
    const { client } = workspace.owner;
    await setQuota(workspace, 10 * MEGABYTE).expect(200);
    const picture = padded(await drawPicture({ width: 400, height: 300, format: 'png' }), MEGABYTE);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const opened = await client.post('/uploads', {
          file_repo: { library: ['media'] },
          file_name: `p-${i}.png`,
          file_size: picture.length,
        });
        if (opened.status !== 201) return `${opened.status} ${opened.body.code as string}`;
        expect((await send(opened.body as Uploaded, picture)).status).toBe(200);
        return (await client.post(`/uploads/${(opened.body as Uploaded).upl_id}/finalize`)).status;
      }),
    );
    expect(outcomes.filter((outcome) => outcome === 201)).toHaveLength(10);
    expect(outcomes.filter((outcome) => outcome === '409 limit_reached')).toHaveLength(10);
    const files = (await client.get('/files?repo_type=media').expect(200)).body.data as StoredFile[];
    await Promise.all(files.map(({ file_id }) => settled(client, file_id)));
    expect(await overview(workspace)).toMatchObject({ quota_bytes: 10 * MEGABYTE, quota_used: 10 * MEGABYTE, quota_reserved: 0 });
    expect((await consumption(workspace)).rendition?.[0]).toBeGreaterThan(0);
    expect(await told(workspace, 'storage.quota_warning')).toHaveLength(1);
    expect(await told(workspace, 'storage.quota_exceeded')).toEqual([
      { quota_bytes: 10 * MEGABYTE, quota_used: 10 * MEGABYTE, quota_warn_percent: 90 },
    ]);
    await assertCounted(api, workspace);
  }, 180_000);

  it('refuses versions and written texts too, takes them again when there is room, and reports each time it is full once', async () => {
    const workspace = await api.workspace();
    const { client } = workspace.owner;
    await setQuota(workspace, 2_000).expect(200);
    const { file_id } = await upload(client, 'a.txt', Buffer.alloc(1_000, 'a'));
    await settled(client, file_id);
    await client.put(`/files/${file_id}/content`, { content: 'b'.repeat(1_001) }).expect(409, /limit_reached/);
    await client.post(`/files/${file_id}/versions`, { file_size: 1_001 }).expect(409, /limit_reached/);
    await client.put(`/files/${file_id}/content`, { content: 'b'.repeat(900) }).expect(200);
    const [first] = (await client.get(`/files/${file_id}/versions?sort=fv_number`).expect(200)).body.data as { fv_id: string }[];
    await client.post(`/files/${file_id}/versions/${first!.fv_id}/restore`).expect(409, /limit_reached/);
    expect(await told(workspace, 'storage.quota_warning')).toHaveLength(1);
    expect(await told(workspace, 'storage.quota_exceeded')).toHaveLength(0);
    await client.delete(`/files/${file_id}/versions/${first!.fv_id}`).expect(204);
    await client.put(`/files/${file_id}/content`, { content: 'c'.repeat(1_100) }).expect(200);
    expect(await told(workspace, 'storage.quota_warning')).toHaveLength(2);
    expect(await told(workspace, 'storage.quota_exceeded')).toHaveLength(1);
    await setQuota(workspace, null).expect(200);
    await client.put(`/files/${file_id}/content`, { content: 'd'.repeat(1_100) }).expect(200);
    await assertCounted(api, workspace);
  }, 60_000);

  it('gives back what was set aside for uploads that are aborted, rejected, lapse, or end with their file', async () => {
    const workspace = await api.workspace();
    const { client } = workspace.owner;
    const { file_id } = await upload(client, 'a.txt', text('a'));
    await settled(client, file_id);
    const aborted = await openUpload(client, { file_name: 'b.txt', file_size: 500 });
    const lapsed = await openUpload(client, { file_name: 'c.txt', file_size: 600 });
    await client.post(`/files/${file_id}/versions`, { file_size: 700 }).expect(201);
    expect((await overview(workspace)).quota_reserved).toBe(1_800);
    await client.delete(`/uploads/${aborted.upl_id}`).expect(204);
    await client.delete(`/uploads/${aborted.upl_id}`).expect(204);
    expect((await overview(workspace)).quota_reserved).toBe(1_300);
    await client.delete(`/files/${file_id}`).expect(204);
    await client.post('/files/actions/purge', { file_ids: [file_id] }).expect(200);
    expect((await overview(workspace)).quota_reserved).toBe(600);
    await api.sql("UPDATE upload SET upl_expires = now() - interval '1 second' WHERE upl_id = $1", [lapsed.upl_id]);
    await worker.get(Sweep, { strict: false }).sweepFiles();
    expect(await overview(workspace)).toMatchObject({ quota_reserved: 0, quota_used: 0 });
    await assertCounted(api, workspace);
  }, 60_000);

  it('holds each member to their share', async () => {
    const workspace = await api.workspace();
    const [a, b] = [await workspace.member('editor'), await workspace.member('editor')];
    await workspace.owner.client.patch('/admin/storage', { quota_user_bytes: 1_000 }).expect(200);
    await sendUpload(a.client, 'a.bin', Buffer.alloc(800, 1)).then(({ upl_id }) =>
      a.client.post(`/uploads/${upl_id}/finalize`).expect(201),
    );
    await a.client.post('/uploads', { file_repo: { library: ['media'] }, file_name: 'a.bin', file_size: 201 }).expect(409, /limit_reached/);
    await a.client.post('/uploads', { file_repo: { library: ['media'] }, file_name: 'a.bin', file_size: 200 }).expect(201);
    await b.client
      .post('/uploads', { file_repo: { library: ['media'] }, file_name: 'b.bin', file_size: 1_001 })
      .expect(409, /limit_reached/);
    await b.client.post('/uploads', { file_repo: { library: ['media'] }, file_name: 'b.bin', file_size: 1_000 }).expect(201);
    expect(await consumption(workspace, 'user')).toEqual({ [a.user_id]: [800, 1] });
    await assertCounted(api, workspace);
  });

  it("is the operator's to set, in a workspace that is there", async () => {
    const workspace = await api.workspace();
    expect((await setQuota(workspace, 5_000).expect(200)).body).toEqual({
      quota_bytes: 5_000,
      quota_used: 0,
      quota_reserved: 0,
      quota_warn_percent: 90,
      quota_user_bytes: null,
    });
    for (const quota_bytes of [-1, 1.5, 'much', undefined])
      await operatorOf(api)
        .patch(`/workspaces/${workspace.tenant_id}/quota`, { quota_bytes })
        .expect(quota_bytes === undefined ? 200 : 400);
    await operatorOf(api).patch(`/workspaces/${newId()}/quota`, { quota_bytes: 1 }).expect(404);
    await workspace.owner.client.patch('/admin/storage', { quota_bytes: 1 }).expect(400);
    expect(
      await api.sql(
        "SELECT aud_actor_name, aud_after ->> 'quota_bytes' AS bytes FROM audit_event WHERE tenant_id = $1 AND aud_type = 'storage.quota_updated' ORDER BY aud_id LIMIT 1",
        [workspace.tenant_id],
      ),
    ).toEqual([{ aud_actor_name: 'operator:ops', bytes: '5000' }]);
  });
});

describe('the storage of a workspace', () => {
  it('is shown to and changed by permitted members, each workspace its own', async () => {
    const [ours, theirs] = [await api.workspace(), await api.workspace()];
    const editor = await ours.member('editor');
    for (const path of ['/admin/storage', '/admin/storage/consumption?group_by=class']) {
      const refused = await editor.client.get(path).expect(403);
      expect(refused.body.detail).toContain('admin:storage');
    }
    await editor.client.patch('/admin/storage', { quota_warn_percent: 50 }).expect(403);
    await upload(ours.owner.client, 'a.txt', Buffer.alloc(700, 'a'));
    expect(await overview(ours)).toMatchObject({
      quota_bytes: null,
      quota_used: 700,
      quota_warn_percent: 90,
      quota_user_bytes: null,
      default_provider: ours.tenant_id,
      daily_growth: null,
      days_left: null,
      by_class: [{ key: 'original', label: 'original', bytes: 700, objects: 1 }],
      by_repo_type: [{ key: 'media', label: 'media', bytes: 700, objects: 1 }],
      by_provider: [{ key: ours.tenant_id, label: 'Platform storage', bytes: 700, objects: 1 }],
    });
    expect(await overview(theirs)).toMatchObject({ quota_used: 0, by_class: [], default_provider: theirs.tenant_id });
    expect(await consumption(theirs, 'user')).toEqual({});
    expect(
      (await ours.owner.client.patch('/admin/storage', { quota_warn_percent: 50, quota_user_bytes: 9_000 }).expect(200)).body,
    ).toMatchObject({ quota_warn_percent: 50, quota_user_bytes: 9_000 });
    expect(await overview(theirs)).toMatchObject({ quota_warn_percent: 90, quota_user_bytes: null });
    const refused = await ours.owner.client.patch('/admin/storage', { quota_warn_percent: 0 }).expect(400);
    expect(refused.body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'quota_warn_percent', code: 'too_small' }] });
    const ungrouped = await ours.owner.client.get('/admin/storage/consumption').expect(400);
    expect(ungrouped.body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'group_by', code: 'required' }] });
    for (const query of ['?group_by=date&tz=Mars/Base', '?group_by=class&tz=%2B02:00', '?group_by=class&usage_timestamp=2026-01-01']) {
      await ours.owner.client.get(`/admin/storage/consumption${query}`).expect(400);
    }
  });

  it("[governance 33] is charged once for a day, however often the day's picture is asked for, by what it held", async () => {
    const workspace = await api.workspace();
    const { client } = workspace.owner;
    await upload(client, 'a.bin', Buffer.alloc(2_345_678, 7));
    await rollup.rollUpStorage();
    for (let run = 0; run < 3; run++) await rollup.snapshotWorkspace(workspace.tenant_id);
    await rollup.snapshotWorkspaces();
    const entries = await api.sql<{ units: number; user: string | null }>(
      "SELECT usage_consumed_units::float8 AS units, usage_user AS user FROM usage_entry WHERE tenant_id = $1 AND usage_param = 'storage.gb_days'",
      [workspace.tenant_id],
    );
    const [picture] = await api.sql<{ bytes: number; today: string }>(
      'SELECT sum(snap_bytes)::float8 AS bytes, min(snap_date)::text AS today FROM storage_snapshot WHERE tenant_id = $1',
      [workspace.tenant_id],
    );
    expect(picture?.bytes).toBe(2_345_678);
    expect(entries).toEqual([{ units: Number((picture!.bytes / 1e9).toFixed(6)), user: null }]);
    expect(await api.sql('SELECT usage_source FROM usage_sources WHERE tenant_id = $1', [workspace.tenant_id])).toEqual([
      { usage_source: `gbday:${picture!.today}` },
    ]);

    await api.sql(
      "UPDATE storage_snapshot SET snap_date = snap_date - 10, snap_at = snap_at - interval '10 days', snap_bytes = snap_bytes - 1000000 WHERE tenant_id = $1 AND snap_bytes > 0",
      [workspace.tenant_id],
    );
    await setQuota(workspace, 3_345_678).expect(200);
    expect(await overview(workspace)).toMatchObject({ daily_growth: 100_000, days_left: 10 });
    const { data, total } = (await client.get('/admin/storage/consumption?group_by=date').expect(200)).body as {
      data: { key: string; bytes: number; objects: number }[];
      total: object;
    };
    expect(data).toHaveLength(30);
    expect(data.map(({ bytes }) => bytes)).toEqual([...Array<number>(19).fill(0), ...Array<number>(11).fill(1_345_678)]);
    expect(total).toEqual({ bytes: 2_345_678, objects: 1 });
    await rollup.snapshotWorkspace(workspace.tenant_id);
    expect(
      (await client.get('/admin/storage/consumption?group_by=date&time_granularity=month&tz=Asia/Kathmandu').expect(200)).body.data.at(-1),
    ).toMatchObject({ bytes: 2_345_678, objects: 1 });
  });
});
