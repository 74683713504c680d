import type { RunningApi } from '@atrium/platform/testing';

/** Files whose rows say of their bytes and holds what those do not say: none, at every moment of rest. */
export const factsThatLag = (api: RunningApi, tenant_id: string): Promise<object[]> =>
  api.sql(
    `SELECT f.file_id, f.file_shared, f.file_corrupt, f.file_held, b.blob_refs, b.blob_corrupt FROM file f LEFT JOIN file_blob b ON b.tenant_id = f.tenant_id AND b.blob_id = f.file_blob
     WHERE f.tenant_id = $1 AND (f.file_shared, f.file_corrupt, f.file_held) IS DISTINCT FROM (coalesce(b.blob_refs, 0) > 1, b.blob_corrupt IS NOT NULL,
       EXISTS (SELECT FROM legal_hold h WHERE h.tenant_id = f.tenant_id AND h.lh_target_type = 'file' AND h.lh_target_id = f.file_id AND h.lh_released_at IS NULL))`,
    [tenant_id],
  );
