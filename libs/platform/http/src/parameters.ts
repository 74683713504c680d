import type { Precondition } from '@atrium/platform/database';
import { isId, Problem } from '@atrium/platform/kernel';
import { createParamDecorator, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import { Param } from '@nestjs/common';
import { ApiHeader, ApiParam } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import type { Request } from 'express';

/** As much of a wrong id as a message repeats. */
const SHOWN = 40;

export class ExistingId implements PipeTransform<string, string> {
  transform(value: string): string {
    if (!isId(value)) throw notAnId(value);
    return value.toLowerCase();
  }
}

const notAnId = (value: string): Problem =>
  new Problem(
    'not_found',
    `"${[...value].slice(0, SHOWN).join('')}" in the path is not an id. Ids are UUIDs; check where this one comes from.`,
  );

/** An id in the path. One that is not a UUID is answered with 404, like any unknown id. */
export const PathId = (name = 'id'): ParameterDecorator => Param(name, new ExistingId());

/** Documents a path id: `@HasId()` beside the handler. */
export const HasId = (name = 'id', description = 'Id of the resource.'): MethodDecorator =>
  ApiParam({ name, description, schema: { type: 'string', format: 'uuid' } });

const preconditionOf = createParamDecorator((_: unknown, context: ExecutionContext): Precondition | undefined => {
  const header = context.switchToHttp().getRequest<Request>().headers['if-match'];
  return header === undefined ? undefined : parsePrecondition(header);
});

/** `If-Match: "7"`, a list of them, or `*`; anything else is refused. */
export function parsePrecondition(header: string): Precondition {
  if (header.trim() === '*') return { versions: 'any' };
  const versions = header.split(',').map((tag) => /^\s*"(\d{1,15})"\s*$/.exec(tag)?.[1]);
  if (versions.some((version) => version === undefined))
    throw new Problem('precondition_failed', 'If-Match must be the ETag of an earlier response, such as "7".');
  return { versions: versions.filter((version) => version !== undefined).map(Number) };
}

/** What `If-Match` asks for: `@IfMatch() precondition?: Precondition`. */
export const IfMatch = (): ParameterDecorator => preconditionOf();

/** Documents `If-Match`: `@HonoursIfMatch()` beside the handler. */
export const HonoursIfMatch = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'If-Match',
      required: false,
      description: 'ETag of the version that you read. If the resource has changed since, the request is rejected with 412.',
      schema: { type: 'string' },
    }),
  );
