import { Injectable } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { invalidField, measureJson, Problem } from '@atrium/platform/kernel';
import type { Request } from 'express';
import { BodyBudget, type ArrivedBytes } from './body-budget';
import { bodyLimitOf, bodyValuesOf, inKilobytes, MANY_VALUES, mostBodyBytes } from './body-limits';
import { waitsForContinue } from './http-server';
import { malformedJson } from './malformed-json';
import { API_PREFIX } from './paths';
import { noteLargestRow } from './rows';
import { ShareNotice } from './share-notice';
import { mayNameUnsafely, UNSAFE_NAMES } from './unsafe-names';

const JSON_TYPES = ['application/json', 'application/*+json'];
const CHARSETS: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii']);
/** Deeper than any body of this API; what walks through it later may then do so recursively. */
const MAX_BODY_DEPTH = 100;

/** What remembers that the bytes of its body count. */
export interface BodyHolder {
  arrived?: ArrivedBytes;
}

/**
 * Reads the bodies of requests whose caller has been let in: JSON in UTF-8, of the size that the route takes, neither inflated
 * nor buffered beyond what all bodies in flight may have together. What is refused has not been read (ADR 39).
 */
@Injectable()
export class BodyIntake {
  private readonly budget: BodyBudget;
  private readonly most: number;
  private readonly limits = new WeakMap<Function, { readonly limit: number; readonly values: number }>();

  constructor(settings: Settings) {
    this.most = mostBodyBytes(settings);
    const notice = new ShareNotice('memory for bodies');
    this.budget = new BodyBudget({ whole: settings.BODIES_IN_FLIGHT_BYTES, ofOne: settings.BODIES_OF_ADDRESS_BYTES }, (network) =>
      notice.warnShareReached(network),
    );
  }

  async readBody(request: Request & BodyHolder, controller: Function, handler: Function): Promise<void> {
    assertReadable(request);
    const { limit, values } = this.limitsOf(controller, handler);
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > limit) throw tooLarge(limit);
    const arrived = this.budget.openBody(request.ip ?? '', announced);
    if (!arrived) throw noRoom();
    // The edge releases it when the request ends; one that has ended while its caller was looked up is not read.
    if (request.destroyed) throw brokenOff();
    request.arrived = arrived;
    if (waitsForContinue(request)) request.res?.writeContinue();
    const bytes = await bytesOf(request, { limit, arrived });
    const measured = measureJson(bytes);
    if (measured.values > values) throw tooManyValues(values);
    if (measured.names > MANY_VALUES) throw tooManyNames();
    if (!arrived.weigh(measured.weight)) {
      arrived.release();
      throw noRoom();
    }
    if (measured.depth > MAX_BODY_DEPTH) throw tooDeep();
    request.body = parse(bytes);
    noteLargestRow(request.body, measured.largest);
  }

  private limitsOf(controller: Function, handler: Function): { readonly limit: number; readonly values: number } {
    const known = this.limits.get(handler);
    if (known !== undefined) return known;
    const limit = bodyLimitOf(controller, handler, this.most);
    const limits = { limit, values: bodyValuesOf(controller, handler, limit) };
    this.limits.set(handler, limits);
    return limits;
  }
}

const tooDeep = (): Problem => new Problem('validation_failed', `The body nests deeper than ${MAX_BODY_DEPTH} levels.`);

const tooLarge = (limit: number): Problem =>
  new Problem('payload_too_large', `The body is larger than the ${limit} bytes (${inKilobytes(limit)}) that this operation accepts.`);

const tooManyValues = (most: number): Problem =>
  new Problem('payload_too_large', `The body has more than the ${most} values that this operation accepts.`);

const tooManyNames = (): Problem => new Problem('payload_too_large', `The body has more than ${MANY_VALUES} different names of values.`);

const noRoom = (): Problem =>
  new Problem('service_unavailable', 'The service is receiving too much at the moment. Send the request again shortly.', {
    headers: { 'Retry-After': '1' },
  });

const brokenOff = (): Problem => new Problem('validation_failed', 'The connection was closed before the whole body had arrived.');

/** The type and the encoding of the body, as its headers say. Bytes of files are never sent here; a caller that sends a form most likely wants to upload one. */
function assertReadable(request: Request): void {
  if (request.is('multipart/form-data'))
    throw new Problem(
      'unsupported_media_type',
      `Send JSON. Files cannot be uploaded as forms: create an upload with POST /${API_PREFIX}/uploads, send the bytes to the returned URL, then finalize the upload.`,
    );
  if (!request.is(JSON_TYPES)) throw new Problem('unsupported_media_type', 'Send JSON, with Content-Type: application/json.');
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(request.headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity' || !CHARSETS.has(charset))
    throw new Problem('unsupported_media_type', 'Send JSON in UTF-8, without Content-Encoding: compressed bodies are not accepted.');
}

interface Bounds {
  readonly limit: number;
  readonly arrived: ArrivedBytes;
}

/** Bytes that arrive in pieces, in one place: a body in pieces of a byte takes no more memory than one that arrives at once. */
class GrowingBytes {
  private bytes: Buffer = Buffer.alloc(0);
  size = 0;

  get whole(): Buffer {
    return this.bytes.subarray(0, this.size);
  }

  add(piece: Buffer): void {
    const size = this.size + piece.length;
    if (this.size === 0) this.bytes = piece;
    else {
      if (size > this.bytes.length) this.bytes = Buffer.concat([this.whole], Math.max(size, 2 * this.bytes.length));
      piece.copy(this.bytes, this.size);
    }
    this.size = size;
  }
}

/** The whole body. As soon as it is too large it is read no further. */
function bytesOf(request: Request, { limit, arrived }: Bounds): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const body = new GrowingBytes();
    const settle = (outcome: () => void): void => {
      request.off('data', take).off('end', finish).off('error', breakOff).off('close', breakOff);
      outcome();
    };
    const refuse = (problem: Problem): void =>
      settle(() => {
        request.pause();
        arrived.release();
        reject(problem);
      });
    const take = (piece: Buffer): void => {
      if (body.size + piece.length > limit) refuse(tooLarge(limit));
      else if (arrived.add(piece.length)) body.add(piece);
      else refuse(noRoom());
    };
    const finish = (): void => settle(() => resolve(body.whole));
    const breakOff = (): void => refuse(brokenOff());
    request.on('data', take).on('end', finish).on('error', breakOff).on('close', breakOff);
  });
}

function parse(bytes: Buffer): unknown {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (text === '') return {};
  const body = parsed(text);
  if (typeof body !== 'object' || body === null) throw new Problem('malformed_json', 'The body is not a JSON object.');
  const unsafe = mayNameUnsafely(text) ? unsafeName(body) : undefined;
  if (unsafe !== undefined) throw invalidField(unsafe, 'is unknown', 'unknown_field');
  return body;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem('malformed_json', malformedJson(text));
  }
}

/**
 * The path of a name that would silently be lost further inside; undefined when there is none. Paths are put together on the
 * way out, for nearly no body has one.
 */
function unsafeName(value: object): string | undefined {
  if (Array.isArray(value)) return unsafeNameInList(value);
  const own = UNSAFE_NAMES.find((name) => Object.hasOwn(value, name));
  if (own !== undefined) return own;
  for (const name in value) {
    const held = (value as Readonly<Record<string, unknown>>)[name];
    const inner = isHolder(held) ? unsafeName(held) : undefined;
    if (inner !== undefined) return joined(name, inner);
  }
  return undefined;
}

function unsafeNameInList(list: readonly unknown[]): string | undefined {
  for (let at = 0; at < list.length; at++) {
    const item = list[at];
    const inner = isHolder(item) ? unsafeName(item) : undefined;
    if (inner !== undefined) return joined(`[${at}]`, inner);
  }
  return undefined;
}

const joined = (outer: string, inner: string): string => (inner.startsWith('[') ? `${outer}${inner}` : `${outer}.${inner}`);

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null;
