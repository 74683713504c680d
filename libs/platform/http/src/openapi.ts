import { isDeepStrictEqual } from 'node:util';
import { Logger, type INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { PROBLEMS } from '@atrium/platform/kernel';
import { handlerName, RoutePolicies } from '@atrium/platform/access';
import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { Settings } from '@atrium/platform/config';
import { bodyLimitOf, mostBodyBytes } from './body-limits';
import { describeAreas } from './docs-areas';
import { ExampleWriter, exampleId, type Schemas } from './docs-examples';
import { completeOperation, describeBodyLimit, operationsOf, type Message } from './docs-operations';

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

const INTRODUCTION = `Atrium is a multi-workspace API for content and AI.

Every request acts in one workspace, named in the header \`X-Tenant-Id\`, and is authenticated with \`X-Api-Key\` or
\`Authorization: Bearer\`. Lists return \`{data, has_more, next_cursor}\`. Errors are \`application/problem+json\` with a
\`code\` from a [closed list](/problems). The bytes of files are sent and received through signed URLs. Operations of areas
that are marked as beta (\`x-beta\`) may change with 30 days' notice.

This reference as a document: [/openapi.json](/openapi.json). What all operations have in common, with examples that run:
[the guide](/guide).`;

/** The OpenAPI 3.1 document of the composed application: declared fields, policies as sentences, problems of every operation. */
export function buildOpenApi(app: INestApplication, serverUrl: string): OpenAPIObject {
  const pieces = openApiInPieces(app, serverUrl);
  for (;;) {
    const piece = pieces.next();
    if (piece.done) return piece.value;
  }
}

/** The same document, made piece by piece: it takes about a second, and a host that serves others has none to give. */
export function* openApiInPieces(app: INestApplication, serverUrl: string): Generator<void, OpenAPIObject> {
  const names = new Map(
    app
      .get(RoutePolicies, { strict: false })
      .listRoutes()
      .map(({ handler, operation }) => [handler, operation]),
  );
  const document = yield* scanned(app, describeService(serverUrl), names);
  document.components = { ...document.components, schemas: { ...document.components?.schemas, Problem: PROBLEM_SCHEMA as never } };
  delete document.info.contact; // each operator is a contact of their own
  const handlers = handlersById(app, names);
  const most = mostBodyBytes(app.get(Settings));
  for (const { operation, method, path } of operationsOf(document)) {
    const handled = handlers.get(operation.operationId ?? '');
    completeOperation(operation, handled?.handler, method, path);
    if (handled) describeBodyLimit(operation, bodyLimitOf(handled.controller, handled.handler, most));
    yield;
  }
  return withAreas(yield* withExamples(yield* modernized(document)));
}

type Head = Omit<OpenAPIObject, 'paths'>;

function describeService(serverUrl: string): Head {
  return new DocumentBuilder()
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
}

/** What the framework says of the handlers, one module after the other. */
function* scanned(app: INestApplication, head: Head, names: ReadonlyMap<string, string>): Generator<void, OpenAPIObject> {
  const operationIdFactory = (controller: string, method: string): string => names.get(handlerName(controller, method)) ?? '';
  const modules = [...app.get(ModulesContainer).values()].filter(({ controllers }) => controllers.size > 0);
  const [paths, schemas]: [OpenAPIObject['paths'], Record<string, object>] = [{}, {}];
  let document: OpenAPIObject = { ...head, paths };
  for (const metatype of new Set(modules.map((module) => module.metatype))) {
    document = SwaggerModule.createDocument(app, head, { include: [metatype], operationIdFactory });
    for (const [path, item] of Object.entries(document.paths)) paths[path] = { ...paths[path], ...item };
    for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
      // The framework compares those of one module alone.
      if (!isDeepStrictEqual(schemas[name] ?? schema, schema)) Logger.warn(`Duplicate DTO detected: "${name}" is defined twice.`);
      schemas[name] = schema;
    }
    yield;
  }
  return { ...document, paths, components: { ...document.components, schemas: schemas } };
}

/** Tags with their sentences in the order of the catalog, and their groups. */
function withAreas(document: OpenAPIObject): OpenAPIObject {
  const { tags, groups } = describeAreas(new Set(operationsOf(document).flatMap(({ operation }) => operation.tags ?? [])));
  return { ...document, tags: [...tags], 'x-tagGroups': groups } as OpenAPIObject;
}

/** An example beside every JSON body and answer, and one for each error code. */
function* withExamples(document: OpenAPIObject): Generator<void, OpenAPIObject> {
  const schemas = (document.components?.schemas ?? {}) as Schemas;
  const [bodies, answers] = [new ExampleWriter(schemas, 'body'), new ExampleWriter(schemas, 'answer')];
  for (const { operation, method } of operationsOf(document)) {
    illustrate(operation.requestBody, bodies);
    if (method === 'post' && operation.requestBody && !asksForFields(operation.requestBody, schemas))
      operation.requestBody.required = false;
    for (const [status, answer] of Object.entries(operation.responses)) if (status.startsWith('2')) illustrate(answer, answers);
    yield;
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
  if (json?.schema) json.example ??= writer.writeExample(json.schema);
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

/** The document in the words of OpenAPI 3.1. */
function* modernized(document: OpenAPIObject): Generator<void, OpenAPIObject> {
  const { paths, components = {} } = document;
  const modern = modernize({ ...document, paths: {}, components: { ...components, schemas: {} } }) as OpenAPIObject;
  modern.paths = (yield* eachModernized(paths)) as OpenAPIObject['paths'];
  modern.components = { ...modern.components, schemas: (yield* eachModernized(components.schemas ?? {})) as never };
  return modern;
}

function* eachModernized(nodes: Readonly<Record<string, unknown>>): Generator<void, Record<string, unknown>> {
  const modern: Record<string, unknown> = {};
  for (const [name, node] of Object.entries(nodes)) {
    modern[name] = modernize(node);
    yield;
  }
  return modern;
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
