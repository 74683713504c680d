import { PROBLEMS, type ProblemCode } from '@atrium/platform/kernel';
import { docsPage } from './docs-page';

interface Explanation {
  readonly meaning: string;
  readonly remedy: string;
}

/** What each code of the closed list means to a caller, and what to do about it. */
const EXPLANATIONS: Readonly<Record<ProblemCode, Explanation>> = {
  validation_failed: {
    meaning: 'A field, a parameter or a header does not have the form this operation takes, or is unknown to it.',
    remedy: 'Read `errors`: one entry a fault, each with the path of the field, a word and a sentence. Mend all of them at once.',
  },
  malformed_json: { meaning: 'The body could not be read as JSON.', remedy: 'Send valid JSON in UTF-8; its top level is an object.' },
  tenant_required: {
    meaning: 'The request does not say in which workspace it acts, or names no uuid.',
    remedy: 'Send the header `X-Tenant-Id` with the id of the workspace.',
  },
  unauthenticated: {
    meaning: 'The credential is missing, unknown, expired or revoked; or two were sent that name different callers.',
    remedy: 'Send a valid `X-Api-Key`, or `Authorization: Bearer` with a fresh access token from `POST /auth/login` or `/auth/refresh`.',
  },
  credits_exhausted: {
    meaning: 'The operation costs credits and the workspace has none left.',
    remedy: 'Ask an administrator of the workspace to add credits.',
  },
  permission_denied: {
    meaning:
      'You are known and belong to the workspace, but lack a permission that `detail` names; or the row is yours to read and not to change.',
    remedy: 'Ask an administrator for a role with that permission, or use a key whose scopes include it.',
  },
  license_required: {
    meaning: 'The workspace is not licensed for the module that `detail` names.',
    remedy: 'Have the module added to the workspace.',
  },
  tenant_forbidden: {
    meaning: 'There is no such workspace, or you do not belong to it. Both answer alike.',
    remedy: 'Check `X-Tenant-Id`; `GET /me` tells which workspace a credential opens.',
  },
  not_found: {
    meaning:
      'There is nothing at this path: the id is unknown, belongs to another workspace, or is not readable for you. All three answer alike.',
    remedy: 'Check the id and the workspace.',
  },
  method_not_allowed: { meaning: 'The path exists, but not with this method.', remedy: 'Use one of the methods in the `Allow` header.' },
  not_acceptable: {
    meaning: 'The answer does not exist in a form that your `Accept` header allows.',
    remedy: 'Accept `application/json`, or leave the header out.',
  },
  already_exists: {
    meaning: 'A row with the same unique value exists already.',
    remedy: 'Choose another value, or use the row that is there.',
  },
  invalid_state: {
    meaning: 'The row is in a state that does not allow this; `detail` names the state.',
    remedy: 'Read the row again and act on what it is now.',
  },
  invalid_move: { meaning: 'The row can not be put there, for example an album into itself.', remedy: 'Choose another place.' },
  in_use: {
    meaning: 'Something else depends on the row.',
    remedy: 'Remove what depends on it first; `detail` or the references of the row name it.',
  },
  limit_reached: {
    meaning: 'A limit of the workspace or of the caller is reached; `detail` names it.',
    remedy: 'Finish or delete something, or have the limit raised.',
  },
  idempotency_in_progress: {
    meaning: 'The first request with this `Idempotency-Key` is still running.',
    remedy: 'Wait as long as `Retry-After` says and send the same request again: its outcome will be replayed.',
  },
  gone: { meaning: 'It was there and is not any more; it will not come back.', remedy: 'Forget the reference to it.' },
  precondition_failed: {
    meaning: 'The row has changed since the `ETag` in your `If-Match` was given.',
    remedy: 'Read it again, apply your change to what it is now, and send the new `ETag`.',
  },
  payload_too_large: {
    meaning: 'The body, the file or the selection is larger than this operation takes.',
    remedy: 'Send less at once. File bytes go through uploads; large downloads through download jobs.',
  },
  unsupported_media_type: {
    meaning: 'The body is not of the type this operation takes.',
    remedy: 'Send `Content-Type: application/json` in UTF-8.',
  },
  idempotency_mismatch: {
    meaning: 'The `Idempotency-Key` was used before, for another request.',
    remedy: 'Use a new key for every new request, and the old one only to repeat the same.',
  },
  unprocessable_content: {
    meaning:
      'The request is well-formed, but what it brings can not be used: a damaged file, bytes of another size than promised, a part that is missing.',
    remedy: 'Read `detail`, mend the content, send it again.',
  },
  precondition_required: {
    meaning: 'This operation wants to know which version you change.',
    remedy: 'Send `If-Match` with the `ETag` of the row you read.',
  },
  rate_limited: { meaning: 'There were too many requests in a short time.', remedy: 'Wait as long as `Retry-After` says.' },
  internal_error: {
    meaning: 'Something went wrong on our side. It has been logged.',
    remedy: 'Try again later; name the `request_id` when you report it.',
  },
  not_configured: {
    meaning: 'The feature needs a provider that nobody has configured; `detail` names the setting.',
    remedy: 'Ask whoever runs the service.',
  },
  upstream_failed: { meaning: 'A provider behind the service refused or failed.', remedy: 'Try again; `detail` says which one.' },
  service_unavailable: {
    meaning: 'The service can not answer right now, for example because its database restarts.',
    remedy: 'Wait as long as `Retry-After` says and send the request again; give a POST an `Idempotency-Key`.',
  },
  upstream_timeout: { meaning: 'A provider behind the service did not answer in time.', remedy: 'Try again.' },
};

const isCode = (text: string): text is ProblemCode => Object.hasOwn(PROBLEMS, text);

/** The page that the `type` of a problem names; undefined when there is no such code. */
export function problemPage(code: string): string | undefined {
  if (!isCode(code)) return undefined;
  const { status, title } = PROBLEMS[code];
  const { meaning, remedy } = EXPLANATIONS[code];
  return docsPage(
    title,
    `<h1>${title}</h1><p class="code"><code>${code}</code> · HTTP ${status}</p><p>${prose(meaning)}</p><h2>What to do</h2><p>${prose(remedy)}</p><p><a href="/problems">All codes</a></p>`,
  );
}

/** All codes with what they mean. */
export function problemsPage(): string {
  const rows = Object.entries(PROBLEMS).map(
    ([code, { status }]) =>
      `<tr><td>${status}</td><td><a href="/problems/${code}"><code>${code}</code></a></td><td>${prose(EXPLANATIONS[code as ProblemCode].meaning)}</td></tr>`,
  );
  return docsPage(
    'Problems',
    `<h1>Problems</h1><p>Every error is <code>application/problem+json</code> (RFC 9457) with one of these codes.</p><table>${rows.join('')}</table>`,
  );
}

const prose = (text: string): string =>
  text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? sign).replace(/`([^`]+)`/g, '<code>$1</code>');
