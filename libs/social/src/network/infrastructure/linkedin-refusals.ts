import { isObject } from '@atrium/platform/kernel';
import type { OutboundAnswer } from '@atrium/platform/outbound';
import { SocialFailure, type FailureKind } from '../domain/social-failure';
import { REFUSAL } from './linkedin-answers';

const POST_URN = /urn:li:(?:share|ugcPost):\d+/;
const SECOND_MS = 1_000;
const LONGEST_MESSAGE = 500;

/** The JSON of an answer; nothing where it is none. */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

const pauseOf = (value: string | undefined): number | null => {
  if (value === undefined) return null;
  if (/^\d{1,7}$/.test(value.trim())) return Number(value) * SECOND_MS;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
};

/** What a refusal of the platform means. */
export function refusalOf({ status, headers, body }: OutboundAnswer): SocialFailure {
  const given = jsonOf(body);
  const parsed = REFUSAL.safeParse(isObject(given) ? given : {});
  const facts = parsed.success ? parsed.data : {};
  const said = facts.message ?? facts.error_description ?? facts.error ?? `LinkedIn returned ${status}.`;
  const duplicate =
    facts.errorDetails?.inputErrors?.some(({ code }) => code === 'DUPLICATE_POST') === true || facts.code === 'DUPLICATE_POST';
  const named = duplicate ? POST_URN.exec(`${said} ${JSON.stringify(facts.errorDetails ?? {})}`)?.[0] : undefined;
  return new SocialFailure(kindOf(status, facts.error ?? facts.code ?? '', said, duplicate), said.slice(0, LONGEST_MESSAGE), {
    http: status,
    request_id: headers['x-li-uuid'] ?? null,
    retryAfterMs: pauseOf(headers['retry-after']),
    duplicate_of: named ?? null,
  });
}

function kindOf(status: number, code: string, message: string, isDuplicate: boolean): FailureKind {
  if (isDuplicate) return 'duplicate';
  if (code === 'invalid_grant') return 'invalid_grant';
  if (status === 401) return 'unauthorized';
  if (status === 403 || (status === 400 && message.startsWith('Organization permissions'))) return 'missing_scope';
  if (status === 404 || status === 410) return 'gone';
  if (status === 429) return 'rate_limited';
  return status >= 500 || status === 408 ? 'unavailable' : 'rejected';
}
