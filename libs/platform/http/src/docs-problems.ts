import { PROBLEMS, type ProblemCode } from '@atrium/platform/kernel';
import { docsPage } from './docs-page';

interface Explanation {
  readonly meaning: string;
  readonly remedy: string;
}

/** What each error code means to a caller, and how to resolve it. */
const EXPLANATIONS: Readonly<Record<ProblemCode, Explanation>> = {
  validation_failed: {
    meaning: 'A field, a parameter or a header is unknown to this operation or does not have the required form.',
    remedy:
      'Read `errors`. It has one entry per error, with the path of the field, a code and a sentence, so you can correct all of them at once.',
  },
  malformed_json: { meaning: 'The body could not be read as JSON.', remedy: 'Send valid JSON in UTF-8 with an object at its top level.' },
  tenant_required: {
    meaning: 'The request does not name a workspace, or the name is not a UUID.',
    remedy: 'Send the header `X-Tenant-Id` with the id of the workspace.',
  },
  unauthenticated: {
    meaning: 'The credential is missing, unknown, expired or revoked, or two credentials of different users were sent.',
    remedy:
      'Send a valid `X-Api-Key`, or `Authorization: Bearer` with a current access token from `POST /auth/login` or `POST /auth/refresh`.',
  },
  credits_exhausted: {
    meaning: 'The operation costs credits and the workspace has none left.',
    remedy: 'Ask an administrator of the workspace to add credits.',
  },
  permission_denied: {
    meaning:
      'You are a member of the workspace but do not have the permission that `detail` names, or `detail` states what is not allowed.',
    remedy: 'If a permission is missing, ask an administrator for a role with that permission, or use a key whose scopes include it.',
  },
  license_required: {
    meaning: 'The workspace is not licensed for the module that `detail` names.',
    remedy: 'Ask the operator of the installation to add the module to the workspace.',
  },
  tenant_forbidden: {
    meaning: 'The workspace does not exist or you are not a member of it. The response is the same for both.',
    remedy: 'Check `X-Tenant-Id`. `GET /me` returns the workspace of a credential.',
  },
  not_found: {
    meaning:
      'Nothing was found at this path: the id is unknown, belongs to another workspace, or you may not read it. The response is the same for all three.',
    remedy: 'Check the id and the workspace.',
  },
  method_not_allowed: { meaning: 'The path exists, but not with this method.', remedy: 'Use one of the methods in the `Allow` header.' },
  not_acceptable: {
    meaning: 'The response is not available in a format that your `Accept` header allows.',
    remedy: 'Accept `application/json`, or omit the header.',
  },
  already_exists: {
    meaning: 'A resource with the same unique value already exists.',
    remedy: 'Choose another value, or use the existing resource.',
  },
  invalid_state: {
    meaning: 'The resource is in a state that does not allow this operation; `detail` names the state.',
    remedy: 'Read the resource again and decide by its current state.',
  },
  invalid_move: { meaning: 'The resource cannot be moved there, for example an album into itself.', remedy: 'Choose another destination.' },
  in_use: {
    meaning: 'Other resources depend on this one.',
    remedy: 'Remove the dependent resources first; `detail` or the references of the resource name them.',
  },
  limit_reached: {
    meaning: 'A limit of the workspace or of your account has been reached; `detail` names it.',
    remedy: 'Delete or finish something that counts towards the limit, or ask for a higher limit.',
  },
  idempotency_in_progress: {
    meaning: 'The first request with this `Idempotency-Key` is still running.',
    remedy: 'Wait for the time in `Retry-After` and send the same request again. You receive the response to the first request.',
  },
  gone: { meaning: 'The resource existed but is permanently unavailable.', remedy: 'Remove your reference to it.' },
  precondition_failed: {
    meaning: 'The resource has changed since you received the `ETag` in your `If-Match` header.',
    remedy: 'Read the resource again, apply your change to its current version, and send the new `ETag`.',
  },
  payload_too_large: {
    meaning: 'The body, the file or the selection is larger than this operation accepts.',
    remedy: 'Send less in one request. Use uploads for the bytes of files and download jobs for large downloads.',
  },
  unsupported_media_type: {
    meaning: 'The body does not have a media type that this operation accepts.',
    remedy: 'Send `Content-Type: application/json` in UTF-8.',
  },
  idempotency_mismatch: {
    meaning: 'The `Idempotency-Key` has already been used for a different request.',
    remedy: 'Use a new key for each new request. Send the same key only to repeat the same request.',
  },
  unprocessable_content: {
    meaning:
      'The request is well-formed, but its content cannot be processed: a damaged file, a size that differs from the declared one, a missing part.',
    remedy: 'Read `detail`, correct the content and send it again.',
  },
  precondition_required: {
    meaning: 'This operation requires the version that you want to change.',
    remedy: 'Send `If-Match` with the `ETag` of the resource you read.',
  },
  rate_limited: { meaning: 'You sent too many requests in a short time.', remedy: 'Wait for the time in `Retry-After`.' },
  internal_error: {
    meaning: 'An unexpected error occurred in the service. It has been logged.',
    remedy: 'Try again later. Include the `request_id` when you report the error.',
  },
  not_configured: {
    meaning: 'The feature requires a provider that is not configured; `detail` names the setting.',
    remedy: 'Ask the operator of the installation to configure it.',
  },
  upstream_failed: {
    meaning: 'An external service that Atrium depends on failed or rejected the request; `detail` names it.',
    remedy: 'Try again later.',
  },
  service_unavailable: {
    meaning: 'The service cannot respond at the moment, for example because its database is restarting.',
    remedy: 'Wait for the time in `Retry-After` and send the request again. Send a POST with an `Idempotency-Key`.',
  },
  upstream_timeout: { meaning: 'An external service that Atrium depends on did not respond in time.', remedy: 'Try again later.' },
};

const isCode = (text: string): text is ProblemCode => Object.hasOwn(PROBLEMS, text);

/** The page that the `type` of a problem links to; undefined for an unknown code. */
export function problemPage(code: string): string | undefined {
  if (!isCode(code)) return undefined;
  const { status, title } = PROBLEMS[code];
  const { meaning, remedy } = EXPLANATIONS[code];
  return docsPage(
    title,
    `<h1>${title}</h1><p class="code"><code>${code}</code> · HTTP ${status}</p><p>${prose(meaning)}</p><h2>What to do</h2><p>${prose(remedy)}</p><p><a href="/problems">All codes</a></p>`,
  );
}

/** The page that lists all codes with their meanings. */
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
