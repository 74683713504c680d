import { createValidationPipe, QUERY_PARSER } from '@atrium/platform/http';
import { Problem, type FieldFault } from '@atrium/platform/kernel';
import type { Type } from '@nestjs/common';
import express from 'express';

const pipe = createValidationPipe();
const parseQuery = express().set('query parser', QUERY_PARSER).get('query parser fn') as (query: string) => unknown;

/**
 * What a handler gets for a body: an instance of its class, read from JSON and validated as in a request. How many bytes and values
 * a body may have depends on its route and is not asked here.
 */
export const readBody = <T extends object>(type: Type<T>, body: unknown): Promise<T> =>
  pipe.transform(JSON.parse(JSON.stringify(body)), { type: 'body', metatype: type }) as Promise<T>;

/** What a handler gets for a query, given as it is written in the address. */
export const readQuery = <T extends object>(type: Type<T>, query: string): Promise<T> =>
  pipe.transform(parseQuery(query), { type: 'query', metatype: type }) as Promise<T>;

/** The faults that a body is refused for with 400 before its handler is called; none where it is called. */
export const faultsOfBody = <T extends object>(type: Type<T>, body: unknown): Promise<readonly FieldFault[]> =>
  faultsOf(readBody(type, body));

/** The faults that a query is refused for with 400 before its handler is called; none where it is called. */
export const faultsOfQuery = <T extends object>(type: Type<T>, query: string): Promise<readonly FieldFault[]> =>
  faultsOf(readQuery(type, query));

async function faultsOf(reading: Promise<object>): Promise<readonly FieldFault[]> {
  try {
    await reading;
    return [];
  } catch (error) {
    if (error instanceof Problem && error.code === 'validation_failed' && error.errors) return error.errors;
    throw error;
  }
}
