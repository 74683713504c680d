import type { RoutePolicy } from '@atrium/platform/access';
import { exampleId } from './docs-examples';

export const TENANT_HEADER = 'X-Tenant-Id';

const TENANT = {
  name: TENANT_HEADER,
  in: 'header',
  required: true,
  description: 'Id of the workspace that the request acts in.',
  schema: { type: 'string', format: 'uuid' },
  example: exampleId('tenant_id'),
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Makes it safe to retry the request. The first response is kept for 24 hours and returned to every repetition.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** The headers that an operation takes because of its policy and method. */
export function headersFor(policy: RoutePolicy | undefined, method: string): readonly object[] {
  if (!policy) return [];
  return [...(policy.tenantless ? [] : [TENANT]), ...(method === 'post' && policy.kind !== 'public' ? [IDEMPOTENCY_KEY] : [])];
}
