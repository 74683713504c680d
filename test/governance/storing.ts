import { crc32 } from 'node:zlib';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { factsThatLag } from '../files/file-facts';

export interface Consumed {
  readonly key: string | null;
  readonly label: string;
  readonly bytes: number;
  readonly objects: number;
}

/** A picture of exactly so many bytes: a chunk that no reader looks at makes up for what is missing. */
export function padded(png: Buffer, size: number): Buffer {
  const end = png.length - 12;
  const filler = Buffer.alloc(size - png.length - 12, 'x');
  const head = Buffer.alloc(8);
  head.writeUInt32BE(filler.length);
  head.write('prVt', 4, 'latin1');
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(Buffer.concat([head.subarray(4), filler])));
  return Buffer.concat([png.subarray(0, end), head, filler, sum, png.subarray(end)]);
}

/** What is stored, by a dimension; what belongs to no one is under `null`. */
export async function consumption({ owner }: TestWorkspace, group_by = 'class'): Promise<Record<string, [bytes: number, objects: number]>> {
  const { data } = (await owner.client.get(`/admin/storage/consumption?group_by=${group_by}`).expect(200)).body as { data: Consumed[] };
  return Object.fromEntries(data.map(({ key, bytes, objects }) => [String(key), [bytes, objects]]));
}

const COUNTED = `
  SELECT con_provider::text, con_class, con_repo_type, con_family, con_user::text, sum(con_bytes)::float8 AS bytes, sum(con_objects)::float8 AS objects FROM (
    SELECT tenant_id, con_provider, con_class, con_repo_type, con_family, con_user, con_bytes, con_objects FROM storage_consumption
    UNION ALL SELECT tenant_id, con_provider, con_class, con_repo_type, con_family, con_user, con_bytes, con_objects FROM storage_delta) held
  WHERE tenant_id = $1 GROUP BY 1, 2, 3, 4, 5 HAVING sum(con_bytes) <> 0 OR sum(con_objects) <> 0 ORDER BY 1, 2, 3, 4, 5`;

const NOBODY = "'00000000-0000-0000-0000-000000000000'";
const RECOUNTED = `
  SELECT coalesce(v.fv_provider, v.tenant_id)::text AS con_provider, CASE WHEN f.file_deleted IS NOT NULL THEN 'trash' WHEN v.fv_id <> f.file_current_version THEN 'version' WHEN f.repo_type = 'generated' THEN 'generated' ELSE 'original' END AS con_class,
         f.repo_type AS con_repo_type, file_family(v.fv_type) AS con_family, coalesce(v.fv_created_by, ${NOBODY})::text AS con_user, sum(v.fv_size)::float8 AS bytes, count(*)::float8 AS objects
  FROM file_version v JOIN file f ON f.tenant_id = v.tenant_id AND f.file_id = v.fv_file WHERE v.tenant_id = $1 GROUP BY 1, 2, 3, 4, 5
  UNION ALL
  SELECT coalesce(v.fv_provider, v.tenant_id)::text, 'rendition', f.repo_type, file_family(v.fv_type), coalesce(v.fv_created_by, ${NOBODY})::text, sum(r.bytes)::float8, sum(r.objects)::float8
  FROM file_version v JOIN file f ON f.tenant_id = v.tenant_id AND f.file_id = v.fv_file JOIN file_blob b ON b.tenant_id = v.tenant_id AND b.blob_id = v.fv_blob,
       LATERAL (SELECT sum((e.value ->> 'size')::bigint) AS bytes, count(*) AS objects FROM jsonb_each(b.blob_replicas) e) r
  WHERE v.tenant_id = $1 AND v.fv_replicas <> '' GROUP BY 1, 2, 3, 4, 5
  UNION ALL
  SELECT b.tenant_id::text, 'rendition', '', 'image', ${NOBODY}, sum((p.value ->> 'size')::bigint)::float8, count(*)::float8
  FROM file_blob b, jsonb_each(b.blob_marked) m, jsonb_each(m.value) p WHERE b.tenant_id = $1 GROUP BY 1
  UNION ALL
  SELECT e.tenant_id::text, 'export', '', 'archive', e.person::text, sum(e.bytes)::float8, count(*)::float8 FROM (
    SELECT tenant_id, coalesce(job_created_by, ${NOBODY}) AS person, archive_size AS bytes FROM download_job WHERE status = 'completed'
    UNION ALL SELECT tenant_id, ${NOBODY}, dsr_bytes FROM privacy_request WHERE dsr_stored) e
  WHERE e.tenant_id = $1 GROUP BY 1, 5
  ORDER BY 1, 2, 3, 4, 5`;

/** What must hold at every moment of rest: the counters are what a count of all rows gives, and the quota knows the same. */
export async function assertCounted(api: RunningApi, { tenant_id }: TestWorkspace): Promise<void> {
  const counted = await api.sql<{ con_class: string; con_user: string; bytes: number }>(COUNTED, [tenant_id]);
  expect(counted).toEqual(await api.sql(RECOUNTED, [tenant_id]));
  expect(await factsThatLag(api, tenant_id)).toEqual([]);
  const [quota] = await api.sql<{ used: number; reserved: number; open: number }>(
    `SELECT quota_used::float8 AS used, quota_reserved::float8 AS reserved, (SELECT coalesce(sum(file_size), 0)::float8 FROM upload u WHERE u.tenant_id = q.tenant_id AND upl_state IN ('open', 'completing')) AS open
     FROM storage_quota q WHERE tenant_id = $1`,
    [tenant_id],
  );
  const counting = counted.filter(({ con_class }) => con_class !== 'rendition');
  expect(quota).toEqual({ used: counting.reduce((sum, { bytes }) => sum + bytes, 0), reserved: quota?.open, open: quota?.open });
  const people = await api.sql<{ per_user: string; used: number }>(
    'SELECT per_user, per_used::float8 AS used FROM storage_person WHERE tenant_id = $1',
    [tenant_id],
  );
  for (const { per_user, used } of people)
    expect(used).toBe(counting.filter(({ con_user }) => con_user === per_user).reduce((sum, { bytes }) => sum + bytes, 0));
}
