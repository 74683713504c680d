import { Outage, Problem } from '@atrium/platform/kernel';
import { ObjectMissing, UploadMissing } from '../object-store';

/** Error code of an S3 answer, or of the connection to it. */
export const s3Code = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

const ABSENT = ['NoSuchKey', 'NotFound'];
const BAD_PARTS = ['InvalidPart', 'InvalidPartOrder', 'EntityTooSmall'];
const UNREACHABLE = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'SlowDown',
  'ServiceUnavailable',
];

export const isAbsentObject = (error: unknown): boolean => ABSENT.includes(s3Code(error));
export const isAbsentUpload = (error: unknown): boolean => s3Code(error) === 'NoSuchUpload';

/** What a caller sees of a failed S3 call: in words of the product, without the provider's text. */
export function s3Problem(error: unknown): unknown {
  if (error instanceof Problem || error instanceof ObjectMissing || error instanceof UploadMissing) return error;
  const code = s3Code(error);
  if (BAD_PARTS.includes(code)) return new Problem('unprocessable_content', 'A part of the upload is missing, too small or has changed.');
  if (code === 'InvalidRange') return new RangeError('The range is outside the object.');
  // The client library gives up on these answers without their code.
  const overloaded = error instanceof Error && /Retryable HTTP status: (?:429|503|504)/.test(error.message);
  if (overloaded || UNREACHABLE.includes(code))
    return new Outage('storage', 'The object store cannot be reached at the moment.', { cause: error });
  return new Outage('storage', code === '' ? 'The object store failed.' : `The object store failed (${code}).`, {
    code: 'upstream_failed',
    cause: error,
  });
}
