import type { OpenAPIObject } from '@nestjs/swagger';
import { PROBLEMS, type ProblemCode } from '@atrium/platform/kernel';
import { describePolicy, POLICY, type RoutePolicy } from '@atrium/platform/access';
import { ANSWER, byStatus, PROBLEM_CODES, type AnswerShape } from './answers';
import { inKilobytes } from './body-limits';
import { isBetaArea } from './docs-areas';
import type { Schema } from './docs-examples';
import { headersFor } from './docs-headers';

interface Content {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, object>>;
  example?: unknown;
}

export interface Message {
  /** Empty for what the framework guesses from a handler's return type. */
  description?: string;
  readonly content?: Record<string, Content>;
  required?: boolean;
}

export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  'x-beta'?: true;
  parameters?: Parameter[];
  requestBody?: Message;
  security?: Record<string, string[]>[];
  responses: Record<string, Message>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema?: { readonly type?: string };
  style?: string;
  explode?: boolean;
}

type Methods = 'get' | 'post' | 'put' | 'patch' | 'delete';
const METHODS: readonly Methods[] = ['get', 'post', 'put', 'patch', 'delete'];

export function operationsOf(document: OpenAPIObject): { operation: Operation; method: Methods; path: string }[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = (item as Record<string, Operation | undefined>)[method];
      return operation ? [{ operation, method, path }] : [];
    }),
  );
}

/** Adds to an operation what its handler declares: policy, headers, and the problems that it may answer. */
export function completeOperation(operation: Operation, handler: Function | undefined, method: Methods, path: string): void {
  const policy = handler ? (Reflect.getMetadata(POLICY, handler) as RoutePolicy | undefined) : undefined;
  const answer = handler ? (Reflect.getMetadata(ANSWER, handler) as AnswerShape | undefined) : undefined;
  for (const [status, { description }] of Object.entries(operation.responses))
    if (answer && status.startsWith('2') && status !== String(answer.status) && !description) delete operation.responses[status];
  const [summary = '', ...rest] = (operation.summary ?? '').split(/\n\s*\n/);
  operation.summary = summary.replace(/\s+/g, ' ').replace(/\.$/, '');
  if (operation.tags?.some(isBetaArea)) operation['x-beta'] = true;
  operation.description = [...rest, operation.description, policy ? describePolicy(policy) : undefined].filter(Boolean).join('\n\n');
  if (method === 'get' && answer?.etag && !answer.isPartlyVersioned)
    operation.responses['304'] ??= { description: 'Not modified: you already have the version in `If-None-Match`.' };
  // Stated for every operation, so that no client has to guess from its absence.
  operation.security ??= [];
  operation.parameters = (operation.parameters ?? []).concat(headersFor(policy, method) as Parameter[]);
  for (const parameter of operation.parameters)
    if (parameter.in === 'query' && parameter.schema?.type === 'object')
      Object.assign(parameter, { style: 'deepObject', explode: true, example: {} });
  for (const [status, codes] of byStatus(codesFor(operation, policy, handler, method, path))) {
    operation.responses[String(status)] = {
      description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
      content: {
        'application/problem+json': {
          schema: { $ref: '#/components/schemas/Problem' },
          examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
        },
      },
    };
  }
}

function codesFor(
  operation: Operation,
  policy: RoutePolicy | undefined,
  handler: Function | undefined,
  method: Methods,
  path: string,
): ProblemCode[] {
  // Unknown query parameters are refused everywhere.
  const codes = new Set<ProblemCode>(['validation_failed', 'rate_limited', 'internal_error', 'service_unavailable']);
  const own = handler ? ((Reflect.getMetadata(PROBLEM_CODES, handler) as ProblemCode[] | undefined) ?? []) : [];
  for (const code of own) codes.add(code);
  if (operation.requestBody)
    (['malformed_json', 'payload_too_large', 'unsupported_media_type'] as const).forEach((code) => codes.add(code));
  if (path.includes('{')) codes.add('not_found');
  if (operation.parameters?.some((parameter) => parameter.name === 'If-Match')) codes.add('precondition_failed');
  if (!policy || policy.kind === 'public') return [...codes];
  codes.add('unauthenticated');
  // Also where no permission is asked for: a workspace may refuse addresses and methods of signing in.
  if (!policy.tenantless) (['tenant_required', 'tenant_forbidden', 'permission_denied'] as const).forEach((code) => codes.add(code));
  if (policy.kind === 'permissions') codes.add('permission_denied');
  if (policy.license) codes.add('license_required');
  if (method === 'post') (['idempotency_mismatch', 'idempotency_in_progress'] as const).forEach((code) => codes.add(code));
  return [...codes];
}

/** What a body may weigh, beside the code that answers a heavier one and on the body itself. */
export function describeBodyLimit({ requestBody, responses }: Operation, limit: number): void {
  const refusal = responses['413'];
  if (!requestBody || !refusal) return;
  requestBody.description = [requestBody.description, `At most ${inKilobytes(limit)}.`].filter(Boolean).join(' ');
  refusal.description = `${refusal.description ?? ''} The body may have at most ${limit.toLocaleString('en-US')} bytes.`.trim();
}
