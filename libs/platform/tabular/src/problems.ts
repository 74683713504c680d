import { Problem } from '@atrium/platform/kernel';

/** The bytes are not what their format asks for. */
export const damagedFile = (what: string, cause?: unknown): Problem =>
  withCause(
    new Problem('unprocessable_content', `The ${what} is damaged and cannot be read. Save it again and upload the new copy.`),
    cause,
  );

export const noArray = (what: string): Problem =>
  new Problem(
    'unprocessable_content',
    `The ${what} is not a JSON array of objects. It must start with [, end with ], and contain one object for each row.`,
  );

export const protectedByPassword = (what: string): Problem =>
  new Problem('unprocessable_content', `The ${what} is protected by a password. Remove the password and upload it again.`);

/** Unpacked, the file would be larger than it may be, or much larger than an honest one gets. */
export const expandsBeyondLimit = (what: string): Problem =>
  new Problem('payload_too_large', `The ${what} expands beyond the limit for unpacked data.`);

export const tooLarge = (what: string, limit: string): Problem =>
  new Problem('payload_too_large', `The ${what} is larger than the limit of ${limit}.`);

export const tooMany = (what: string, limit: number, things: string): Problem =>
  new Problem('payload_too_large', `The ${what} has more than ${limit.toLocaleString('en-US')} ${things}, which is the limit.`);

/** Why a row is not read. */
export const tooWide = (limit: number): string => `The row has more than ${limit.toLocaleString('en')} columns.`;

export const unsafeName = (what: string): Problem =>
  new Problem('unprocessable_content', `The ${what} contains a file whose path leads outside of it, and is not opened.`);

/** Entities and document types can name other files and grow without bound; office programs write neither. */
export const declaresEntities = (what: string): Problem =>
  new Problem('unprocessable_content', `The ${what} declares entities or a document type of its own, which are not allowed.`);

function withCause(problem: Problem, cause: unknown): Problem {
  if (cause !== undefined) problem.cause = cause;
  return problem;
}
