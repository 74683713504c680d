import { createHash } from 'node:crypto';
import { Problem } from '@atrium/platform/kernel';

/** What is known of a body before it comes. */
export interface Expectation {
  readonly size?: number;
  /** Where no size is promised: the most that is taken. */
  readonly limit?: number;
  readonly sha256?: string;
}

export const tooLarge = (limit: number): Problem => new Problem('payload_too_large', `The body is larger than the ${limit} bytes allowed.`);

export const cutShort = (size: number, promised: number): Problem =>
  new Problem('validation_failed', `The body ended after ${size} of ${promised} bytes.`);

const otherChecksum = (): Problem => new Problem('unprocessable_content', 'The body does not have the promised SHA-256.');

/**
 * Passes the chunks on and holds them to what was promised: the first byte too many ends it, and it does not end
 * well before the last one promised.
 */
export async function* heldTo(expected: Expectation, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const limit = expected.size ?? expected.limit ?? Infinity;
  const hash = expected.sha256 === undefined ? null : createHash('sha256');
  let size = 0;
  for await (const chunk of source) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    hash?.update(chunk);
    yield chunk;
  }
  if (expected.size !== undefined && size < expected.size) throw cutShort(size, expected.size);
  if (hash && hash.digest('hex') !== expected.sha256) throw otherChecksum();
}

/** Blocks of the given sizes (the last one may be shorter), none of them empty; holds one block at a time. */
export async function* blocksOf(source: AsyncIterable<Uint8Array>, sizeOf: (block: number) => number): AsyncGenerator<Buffer> {
  let block = Buffer.allocUnsafeSlow(sizeOf(1));
  let filled = 0;
  let number = 1;
  for await (const chunk of source) {
    for (let offset = 0; offset < chunk.byteLength;) {
      const taken = Math.min(block.length - filled, chunk.byteLength - offset);
      block.set(chunk.subarray(offset, offset + taken), filled);
      filled += taken;
      offset += taken;
      if (filled < block.length) continue;
      yield block;
      block = Buffer.allocUnsafeSlow(sizeOf(++number));
      filled = 0;
    }
  }
  if (filled > 0) yield block.subarray(0, filled);
}
