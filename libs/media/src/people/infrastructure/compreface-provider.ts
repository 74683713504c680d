import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { isObject, outageIn, Problem, SECOND, withoutEnd } from '@atrium/platform/kernel';
import { GuardedHttp, type OutboundAnswer } from '@atrium/platform/outbound';
import { EMBEDDING_SIZE, FaceProvider, type DetectedFace, type Detection, type UprightPicture } from '../domain/face-provider';

const DETECT = '/api/v1/detection/detect';
const NO_FACE = 28;
const MOST_BYTES = 64 * 1024 * 1024;
const TRIES = 3;
const PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30 * SECOND;

/**
 * CompreFace: one multipart request a picture; boxes come in pixels and leave as shares of the picture. A provider that is
 * busy or fails is asked again; a picture that it does not take is refused for good.
 */
@Injectable()
export class CompreFaceProvider extends FaceProvider {
  readonly configured: boolean;
  private readonly url: string;
  private readonly key: string;
  private readonly timeoutMs: number;

  constructor(
    private readonly http: GuardedHttp,
    settings: Settings,
  ) {
    super();
    const query = new URLSearchParams({
      face_plugins: 'landmarks,calculator',
      limit: '0',
      det_prob_threshold: String(settings.FACES_MIN_PROBABILITY),
    });
    this.configured = settings.FACES_URL !== '';
    this.url = `${withoutEnd(settings.FACES_URL, /\//)}${DETECT}?${query.toString()}`;
    this.key = settings.FACES_API_KEY;
    this.timeoutMs = settings.FACES_TIMEOUT_SECONDS * SECOND;
  }

  async detectFaces(picture: UprightPicture, signal?: AbortSignal): Promise<Detection> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.ask(picture, signal).catch(asProblem);
      if (!(outcome instanceof Problem)) return outcome;
      const wait = Number(outcome.headers['Retry-After'] ?? 0) * SECOND || PAUSE_MS * 2 ** (attempt - 1);
      if (attempt >= TRIES || !AGAIN.has(outcome.code) || wait > LONGEST_PAUSE_MS) throw outageIn('faces', outcome);
      await pause(wait, undefined, signal ? { signal } : {});
    }
  }

  private async ask(picture: UprightPicture, signal: AbortSignal | undefined): Promise<Detection> {
    const boundary = `atrium-${randomUUID()}`;
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="picture"\r\ncontent-type: ${picture.type}\r\n\r\n`;
    const answer = await this.http.sendRequest(this.url, {
      method: 'POST',
      headers: { 'x-api-key': this.key, accept: 'application/json', 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: Buffer.concat([Buffer.from(head), picture.bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
      maxBytes: MOST_BYTES,
      timeouts: { headers: this.timeoutMs, body: this.timeoutMs, total: this.timeoutMs },
      ...(signal ? { signal } : {}),
    });
    const body = jsonOf(answer);
    if (answer.status === 400 && (body.code === NO_FACE || /no face/i.test(String(body.message))))
      return { faces: [], model: modelOf(body) };
    if (answer.status >= 400) throw refusal(answer);
    if (!Array.isArray(body.result)) throw new Problem('upstream_failed', 'The face recognition provider returned an unexpected response.');
    return { faces: (body.result as unknown[]).flatMap((found) => faceOf(found, picture) ?? []), model: modelOf(body) };
  }
}

const AGAIN: ReadonlySet<string> = new Set(['rate_limited', 'upstream_failed', 'upstream_timeout']);

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}

function refusal({ status, headers }: OutboundAnswer): Problem {
  if (status === 413) return new Problem('unprocessable_content', 'The face recognition provider does not accept pictures of this size.');
  if (status === 429)
    return new Problem('rate_limited', 'The face recognition provider is busy.', {
      headers: { 'Retry-After': /^\d+$/.test(headers['retry-after'] ?? '') ? String(headers['retry-after']) : '1' },
    });
  if (status === 401 || status === 403)
    return new Problem('not_configured', 'The face recognition provider refused the API key: see the setting FACES_API_KEY.');
  if (status >= 500) return new Problem('upstream_failed', `The face recognition provider failed (HTTP ${status}).`);
  return new Problem('unprocessable_content', `The face recognition provider refused the picture (HTTP ${status}).`);
}

type Answered = Readonly<Record<string, unknown>>;

function jsonOf({ body, status }: OutboundAnswer): Answered {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    return isObject(parsed) ? parsed : {};
  } catch {
    if (status >= 400) return {};
    throw new Problem('upstream_failed', 'The face recognition provider did not return JSON.');
  }
}

/** The model that computed the embeddings; a provider that does not name one counts as one model. */
function modelOf({ plugins_versions: versions }: Answered): string {
  const calculator = isObject(versions) && typeof versions.calculator === 'string' ? versions.calculator : 'calculator';
  return `compreface/${calculator.replace(/[^A-Za-z0-9._:@/+-]/g, '_').slice(0, 100)}`;
}

/** Null for what is no face: a box without numbers. */
function faceOf(found: unknown, { width, height }: UprightPicture): DetectedFace | null {
  if (!isObject(found) || !isObject(found.box)) return null;
  const { x_min, y_min, x_max, y_max, probability } = found.box;
  if (![x_min, y_min, x_max, y_max].every((value) => typeof value === 'number' && Number.isFinite(value))) return null;
  const [left, top, right, bottom] = [x_min, y_min, x_max, y_max].map(Number) as [number, number, number, number];
  return {
    box: { x: left / width, y: top / height, width: (right - left) / width, height: (bottom - top) / height },
    prob: typeof probability === 'number' ? Math.min(1, Math.max(0, probability)) : 0,
    embedding: vectorOf(found.embedding),
    landmarks: Array.isArray(found.landmarks)
      ? (found.landmarks as unknown[]).flatMap((point) =>
          Array.isArray(point) ? [[Number(point[0]) / width, Number(point[1]) / height] as const] : [],
        )
      : [],
  };
}

/** Of length one; null for what has another size, holds no numbers, or points nowhere. */
function vectorOf(value: unknown): Float32Array | null {
  if (!Array.isArray(value) || value.length !== EMBEDDING_SIZE || !value.every((part) => typeof part === 'number' && Number.isFinite(part)))
    return null;
  const numbers = value as readonly number[];
  const length = Math.hypot(...numbers);
  return length === 0 ? null : Float32Array.from(numbers, (part) => part / length);
}
