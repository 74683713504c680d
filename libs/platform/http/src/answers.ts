import { applyDecorators, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { Principal } from '@atrium/platform/access';
import type { ProblemCode } from '@atrium/platform/kernel';
import { PROBLEMS } from '@atrium/platform/kernel';

export interface AnswerShape {
  readonly status: 200 | 201 | 202 | 204;
  /** Path of the created resource or job, with `{field}` filled from the body: `albums/{album_id}`. */
  readonly location?: string;
  /** The class of the body. */
  readonly schema?: Function | undefined;
  /** The body carries `row_version`, which becomes the ETag. */
  readonly etag?: boolean;
  /** The ETag covers the fields that can be changed, not everything that is shown: such an answer is never a 304. */
  readonly isPartlyVersioned?: boolean;
}

export const ANSWER = Symbol('answer');
export const PROBLEM_CODES = Symbol('problem-codes');

type Schema = Function | undefined;

const ETAG = { ETag: { description: 'Version of the resource, for `If-Match`.', schema: { type: 'string' as const } } };
const LOCATION = { Location: { description: 'URL of the resource.', schema: { type: 'string' as const } } };

const respond = (schema: Schema, shape: AnswerShape, description: string): MethodDecorator =>
  applyDecorators(
    HttpCode(shape.status),
    SetMetadata(ANSWER, { ...shape, schema }),
    ApiResponse({
      status: shape.status,
      description,
      ...(schema ? { type: schema } : {}),
      ...(shape.etag || shape.location ? { headers: { ...(shape.etag ? ETAG : {}), ...(shape.location ? LOCATION : {}) } } : {}),
    }),
  );

/** 200 with a list envelope or a computed answer. */
export const Returns = (schema: Function, description = 'OK.'): MethodDecorator => respond(schema, { status: 200 }, description);

/** 200 with one resource and its ETag. */
export const ReturnsResource = (schema: Function): MethodDecorator => respond(schema, { status: 200, etag: true }, 'The resource.');

/**
 * 200 with a resource that shows more than can be changed, such as counts and fresh addresses. Its ETag is for `If-Match` only: it
 * does not change with them, so a poll with `If-None-Match` always gets a full answer.
 */
export const ReturnsState = (schema: Function, description = 'The resource.'): MethodDecorator =>
  respond(schema, { status: 200, etag: true, isPartlyVersioned: true }, description);

/** 201 with the resource, its ETag and its `Location`. */
export const Creates = (schema: Function, location: string): MethodDecorator =>
  respond(schema, { status: 201, location, etag: true }, 'Created.');

/** 202 with the job to poll and its `Location`. */
export const Starts = (schema: Function, location: string): MethodDecorator =>
  respond(schema, { status: 202, location }, 'Accepted. Poll the job for its result.');

/** 202 with an answer beside which the handler sets `Location` itself: the job is part of it. */
export const StartsWith = (schema: Function, description: string): MethodDecorator =>
  applyDecorators(
    HttpCode(202),
    SetMetadata(ANSWER, { status: 202, schema } satisfies AnswerShape),
    ApiResponse({ status: 202, description, type: schema as Type, headers: LOCATION }),
  );

/** 202 with an empty object: the request was taken, and the answer does not reveal its outcome. */
export const Takes = (description = 'Taken.'): MethodDecorator =>
  applyDecorators(
    HttpCode(202),
    SetMetadata(ANSWER, { status: 202 } satisfies AnswerShape),
    ApiResponse({ status: 202, description, schema: { type: 'object', additionalProperties: false } }),
  );

/** 200 with one of several answers. */
export const ReturnsEither = (schemas: readonly Function[], description: string): MethodDecorator =>
  applyDecorators(
    HttpCode(200),
    SetMetadata(ANSWER, { status: 200 } satisfies AnswerShape),
    ApiExtraModels(...schemas),
    ApiResponse({ status: 200, description, schema: { oneOf: schemas.map((schema) => ({ $ref: getSchemaPath(schema) })) } }),
  );

/** 200 with the resource and its ETag, or with an answer about it that has none. */
export const ReturnsResourceOr = (schema: Function, other: Function, description: string): MethodDecorator =>
  applyDecorators(
    HttpCode(200),
    SetMetadata(ANSWER, { status: 200, schema, etag: true } satisfies AnswerShape),
    ApiExtraModels(schema, other),
    ApiResponse({
      status: 200,
      description,
      headers: ETAG,
      schema: { oneOf: [schema, other].map((shape) => ({ $ref: getSchemaPath(shape) })) },
    }),
  );

/** 204, no body. `stays`: the resource remains and shows its end, so that deleting it again is answered alike. */
export const Deletes = ({ stays = false }: { readonly stays?: boolean } = {}): MethodDecorator =>
  respond(undefined, { status: 204 }, stays ? 'Done. Another request returns 204 as well and changes nothing.' : 'Done.');

export const SECRET_ANSWER = Symbol('secret-answer');

/** The answer shows a secret: it is not compressed, and an outcome that is kept under an idempotency key is sealed. */
export const AnswersSecret = (): MethodDecorator => SetMetadata(SECRET_ANSWER, true);

export const KEPT_AS = Symbol('kept-as');

/** An answer as it is kept under an idempotency key. */
export interface KeptAnswer {
  readonly status: number;
  readonly body: unknown;
  /** Headers that are not made of the body. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * For a handler that shapes its answer of what the unit of work answers: says how, so that the answer is kept in the
 * transaction which makes it. Asked with the value of every unit of work of the handler; undefined: it is not this one.
 */
export const KeptAs = <V extends object>(shape: (value: Partial<V>) => KeptAnswer | undefined): MethodDecorator =>
  SetMetadata(KEPT_AS, shape);

export const RENEWAL = Symbol('renewal');

/** How a kept answer is completed when it is replayed. */
export interface Renewal {
  readonly service: Type;
  renewAnswer(service: unknown, kept: unknown, caller: Principal): Promise<unknown>;
}

/**
 * The answer is the resource that the unit of work answers, and signed addresses besides. Under an idempotency key only the
 * resource is kept; a replay completes it, also after a crash before the first answer, with addresses that are good by then.
 */
export const Renews = <S, K>(service: Type<S>, renew: (service: S, kept: K, caller: Principal) => Promise<unknown>): MethodDecorator =>
  SetMetadata(RENEWAL, { service, renewAnswer: (found, kept, caller) => renew(found as S, kept as K, caller) } satisfies Renewal);

/** Problems an operation answers besides those its policy and input bring. */
export const Problems = (...codes: readonly ProblemCode[]): MethodDecorator => applyDecorators(SetMetadata(PROBLEM_CODES, codes));

/** Codes by status. */
export function byStatus(codes: readonly ProblemCode[]): ReadonlyMap<number, readonly ProblemCode[]> {
  const grouped = new Map<number, ProblemCode[]>();
  for (const code of codes) grouped.set(PROBLEMS[code].status, [...(grouped.get(PROBLEMS[code].status) ?? []), code]);
  return grouped;
}
