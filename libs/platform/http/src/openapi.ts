import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { PROBLEMS, type ProblemCode } from '@atrium/platform/kernel';
import { describePolicy, handlerName, POLICY, RoutePolicies, type RoutePolicy } from '@atrium/platform/access';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { Settings } from '@atrium/platform/config';
import { ANSWER, byStatus, PROBLEM_CODES, type AnswerShape } from './answers';
import { bodyLimitOf, inKilobytes, mostBodyBytes } from './body-limits';
import { describeAreas, isBetaArea } from './docs-areas';
import { ExampleWriter, exampleId, type Schema, type Schemas } from './docs-examples';
import { headersFor } from './docs-headers';

interface Content {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, object>>;
  example?: unknown;
}

interface Message {
  /** Empty for what the framework guesses from a handler's return type. */
  description?: string;
  readonly content?: Record<string, Content>;
  required?: boolean;
}

interface Operation {
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

const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'RFC 9457 problem details.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'],
  properties: {
    type: { type: 'string', example: '/problems/not_found', description: 'Page that explains the error code.' },
    title: { type: 'string', example: 'Not found' },
    status: { type: 'integer', example: 404 },
    detail: { type: 'string', example: 'No such album in this workspace.', description: 'What went wrong and what to do about it.' },
    instance: { type: 'string', example: '/api/v1/albums/0190163d-8694-739b-aea5-966c26f8ad91', description: 'Path of the request.' },
    code: { type: 'string', enum: Object.keys(PROBLEMS), description: 'Error code from a closed list. Branch on it.' },
    request_id: {
      type: 'string',
      example: '0190163d-8694-7f1c-b6b5-8b9f4a1c2d3e',
      description: 'Id of the request. Include it when you report an error.',
    },
    errors: {
      type: 'array',
      description: 'For `validation_failed`: one entry per error.',
      items: {
        type: 'object',
        required: ['path', 'code', 'message'],
        properties: { path: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
};

const BETA = "Beta: this operation may change with 30 days' notice.";

const INTRODUCTION = `Atrium is a multi-workspace API for content and AI.

Every request acts in one workspace, named in the header \`X-Tenant-Id\`, and is authenticated with \`X-Api-Key\` or
\`Authorization: Bearer\`. Lists return \`{data, has_more, next_cursor}\`. Errors are \`application/problem+json\` with a
\`code\` from a [closed list](/problems). The bytes of files are sent and received through signed URLs. Operations marked
beta (\`x-beta\`) may change with 30 days' notice.

This reference as a document: [/openapi.json](/openapi.json). What all operations have in common, with examples that run:
[the guide](/guide).`;

/** The OpenAPI 3.1 document of the composed application: declared fields, policies as sentences, problems of every operation. */
export function buildOpenApi(app: INestApplication, serverUrl: string): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Atrium')
    .setVersion('1.0.0')
    .setDescription(INTRODUCTION)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .setOpenAPIVersion('3.1.0')
    .addServer(serverUrl, 'This service')
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'API key: `atk_`, its public id, `_` and its secret.' },
      'ApiKeyAuth',
    )
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The `access_token` of `POST /auth/login`.' },
      'BearerAuth',
    )
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        description: 'For guests of a locked share link: the token from `POST /public/shares/{token}/unlock`, valid for an hour.',
      },
      'ShareAccess',
    )
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        description: 'For kiosks: the device token from `POST /public/kiosk/{share_id}/activate`, valid for 12 hours after its last use.',
      },
      'KioskDevice',
    )
    .build();
  const names = new Map(
    app
      .get(RoutePolicies, { strict: false })
      .routes()
      .map(({ handler, operation }) => [handler, operation]),
  );
  const document = SwaggerModule.createDocument(app, builder, {
    operationIdFactory: (controller, method) => names.get(handlerName(controller, method)) ?? '',
  });
  document.components = { ...document.components, schemas: { ...document.components?.schemas, Problem: PROBLEM_SCHEMA as never } };
  delete document.info.contact; // each operator is a contact of their own
  const handlers = handlersById(app, names);
  const most = mostBodyBytes(app.get(Settings));
  for (const { operation, method, path } of operationsOf(document)) {
    const handled = handlers.get(operation.operationId ?? '');
    complete(operation, handled?.handler, method, path);
    if (handled) describeBodyLimit(operation, bodyLimitOf(handled.controller, handled.handler, most));
  }
  return withAreas(withExamples(modernize(document) as OpenAPIObject));
}

function operationsOf(document: OpenAPIObject): { operation: Operation; method: Methods; path: string }[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = (item as Record<string, Operation | undefined>)[method];
      return operation ? [{ operation, method, path }] : [];
    }),
  );
}

/** Tags with their sentences in the order of the catalog, and their groups. */
function withAreas(document: OpenAPIObject): OpenAPIObject {
  const { tags, groups } = describeAreas(new Set(operationsOf(document).flatMap(({ operation }) => operation.tags ?? [])));
  return { ...document, tags: [...tags], 'x-tagGroups': groups } as OpenAPIObject;
}

/** An example beside every JSON body and answer, and one for each error code. */
function withExamples(document: OpenAPIObject): OpenAPIObject {
  const schemas = (document.components?.schemas ?? {}) as Schemas;
  const [bodies, answers] = [new ExampleWriter(schemas, 'body'), new ExampleWriter(schemas, 'answer')];
  for (const { operation, method } of operationsOf(document)) {
    illustrate(operation.requestBody, bodies);
    if (method === 'post' && operation.requestBody && !asksForFields(operation.requestBody, schemas))
      operation.requestBody.required = false;
    for (const [status, answer] of Object.entries(operation.responses)) if (status.startsWith('2')) illustrate(answer, answers);
  }
  return { ...document, components: { ...document.components, examples: problemExamples(codesShown(document)) } };
}

const codesShown = (document: OpenAPIObject): ReadonlySet<string> =>
  new Set(
    operationsOf(document).flatMap(({ operation }) =>
      Object.values(operation.responses).flatMap((answer) => Object.keys(answer.content?.['application/problem+json']?.examples ?? {})),
    ),
  );

function illustrate(message: Message | undefined, writer: ExampleWriter): void {
  const json = message?.content?.['application/json'];
  if (json?.schema) json.example ??= writer.write(json.schema);
}

/** A body in which nothing is required may be left out. */
function asksForFields(body: Message, schemas: Schemas): boolean {
  const schema = body.content?.['application/json']?.schema;
  const named = schema?.$ref ? schemas[schema.$ref.split('/').at(-1) ?? ''] : schema;
  return !named || (named.required?.length ?? 0) > 0;
}

const problemExamples = (shown: ReadonlySet<string>): Record<string, { summary: string; value: object }> =>
  Object.fromEntries(
    Object.entries(PROBLEMS)
      .filter(([code]) => shown.has(code))
      .map(([code, { status, title }]) => [
        code,
        {
          summary: title,
          value: {
            type: `/problems/${code}`,
            title,
            status,
            detail: `${title}.`,
            instance: '/api/v1/files',
            code,
            request_id: exampleId('request_id'),
          },
        },
      ]),
  );

interface Handled {
  readonly controller: Function;
  readonly handler: Function;
}

function handlersById(app: INestApplication, names: ReadonlyMap<string, string>): Map<string, Handled> {
  const scanner = new MetadataScanner();
  return new Map(
    app
      .get(DiscoveryService, { strict: false })
      .getControllers()
      .flatMap(({ metatype }) => {
        if (!metatype) return [];
        const prototype = metatype.prototype as Record<string, Function>;
        return scanner
          .getAllMethodNames(prototype)
          .map((name): [string, Handled] => [
            names.get(handlerName(metatype.name, name)) ?? '',
            { controller: metatype, handler: prototype[name] as Function },
          ]);
      }),
  );
}

function complete(operation: Operation, handler: Function | undefined, method: Methods, path: string): void {
  const policy = handler ? (Reflect.getMetadata(POLICY, handler) as RoutePolicy | undefined) : undefined;
  const answer = handler ? (Reflect.getMetadata(ANSWER, handler) as AnswerShape | undefined) : undefined;
  for (const [status, { description }] of Object.entries(operation.responses))
    if (answer && status.startsWith('2') && status !== String(answer.status) && !description) delete operation.responses[status];
  const [summary = '', ...rest] = (operation.summary ?? '').split(/\n\s*\n/);
  operation.summary = summary.replace(/\s+/g, ' ').replace(/\.$/, '');
  const isBeta = operation.tags?.some(isBetaArea) ?? false;
  if (isBeta) operation['x-beta'] = true;
  operation.description = [isBeta ? BETA : undefined, ...rest, operation.description, policy ? describePolicy(policy) : undefined]
    .filter(Boolean)
    .join('\n\n');
  if (method === 'get' && answer?.etag && !answer.isPartlyVersioned)
    operation.responses['304'] ??= { description: 'The caller has this version already, as `If-None-Match` says.' };
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
function describeBodyLimit({ requestBody, responses }: Operation, limit: number): void {
  const refusal = responses['413'];
  if (!requestBody || !refusal) return;
  requestBody.description = [requestBody.description, `At most ${inKilobytes(limit)}.`].filter(Boolean).join(' ');
  refusal.description = `${refusal.description ?? ''} The body may have at most ${limit.toLocaleString('en-US')} bytes.`.trim();
}

/** OpenAPI 3.1 says `type: [x, "null"]` where 3.0 said `nullable`. */
function modernize(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(modernize);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, ...rest } = node as Record<string, unknown>;
  const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, modernize(value)]));
  if (nullable !== true) return inner;
  if (typeof inner.type === 'string')
    return { ...inner, type: [inner.type, 'null'], ...(Array.isArray(inner.enum) ? { enum: [...(inner.enum as unknown[]), null] } : {}) };
  if (inner.$ref ?? inner.allOf) return { oneOf: [inner, { type: 'null' }] };
  return inner;
}
