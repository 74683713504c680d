import { pipeline, Transform, type Readable } from 'node:stream';
import { Problem } from '@atrium/platform/kernel';

/**
 * The bytes of a stream, which fails unless there are exactly as many as the request announces. The last piece waits for the end
 * of the stream, so that the other side never takes a longer one for whole.
 */
export function exactBytes(source: Readable, length: number): Readable {
  let sent = 0;
  let last: Buffer | null = null;
  const counted = new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      sent += piece.length;
      if (sent > length) done(wrongLength(`is longer than the ${length} bytes that were announced`));
      else if (sent < length) done(null, piece);
      else {
        if (piece.length > 0) last = piece;
        done();
      }
    },
    flush: (done) => {
      if (sent < length) done(wrongLength(`ended after ${sent} of the ${length} bytes that were announced`));
      else done(null, last);
    },
  });
  return piped(source, counted);
}

/** A stream between two buffers: what multipart bodies put around the one file that they carry. */
export function framedBytes(head: Buffer, source: Readable, tail: Buffer): Readable {
  const framed = new Transform({
    transform: (piece: Buffer, _encoding, done) => done(null, piece),
    flush: (done) => done(null, tail),
  });
  framed.push(head);
  return piped(source, framed);
}

function piped(source: Readable, through: Transform): Readable {
  pipeline(source, through, () => undefined);
  // It may fail before the request reads it, which then finds the error.
  return through.on('error', () => undefined);
}

const wrongLength = (fault: string): Problem => new Problem('unprocessable_content', `The request cannot be sent: its content ${fault}.`);
