import { newId } from '@atrium/platform/kernel';
import type { RunningApi } from '@atrium/platform/testing';

/** A target whose connection nobody has granted: posts to it can be written and begun, not sent. */
export async function makeTarget(api: RunningApi, tenant_id: string): Promise<string> {
  const [con_id, tgt_id] = [newId(), newId()];
  await api.sql(
    `INSERT INTO social_connection (tenant_id, con_id, con_platform, con_account_id, con_account_name, con_expires, con_access) VALUES ($1, $2, 'linkedin', $3, 'Ada', now() + interval '30 days', 'none')`,
    [tenant_id, con_id, con_id],
  );
  await api.sql(
    `INSERT INTO social_target (tenant_id, tgt_id, tgt_connection, tgt_kind, tgt_external_id, tgt_name, tgt_can, tgt_timezone)
     VALUES ($1, $2, $3, 'organization', $4, 'Engines', '{"post": true, "read_stats": false}', 'UTC')`,
    [tenant_id, tgt_id, con_id, `urn:li:organization:${tgt_id}`],
  );
  return tgt_id;
}
