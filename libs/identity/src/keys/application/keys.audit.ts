import { defineAuditTypes } from '@atrium/platform/access';
import type { JsonObject } from '@atrium/platform/kernel';
import type { ApiKey } from '../domain/key';

/** What is audited of API keys. */
export const KEY_AUDIT = defineAuditTypes({
  'api_key.created': 'An API key was created.',
  'api_key.updated': 'An API key was renamed, its scopes were changed or it expires sooner.',
  'api_key.rotated': 'An API key got a new secret.',
  'api_key.revoked': 'An API key was revoked.',
  'api_key.leaked': 'An API key was reported as leaked, and revoked.',
});

export const targetOf = ({ key_id, key_name }: Pick<ApiKey, 'key_id' | 'key_name'>): { type: string; id: string; name: string } => ({
  type: 'api_key',
  id: key_id,
  name: key_name,
});

/** What may be shown of a key. */
export const auditedKey = ({ key_name, key_scopes, key_ip_allow, key_expires_at, key_rate_limit }: ApiKey): JsonObject => ({
  key_name,
  key_scopes: key_scopes && [...key_scopes],
  key_ip_allow: [...key_ip_allow],
  key_expires_at: key_expires_at?.toISOString() ?? null,
  key_rate_limit,
});
