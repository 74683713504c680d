import { MINUTE, Problem } from '@atrium/platform/kernel';
import type { SignedUpload } from '../object-store';
import { bucketAddress, S3_STEPS, type S3Candidate, type S3Step, type S3Verdict } from './s3-candidate';
import { S3Client } from './s3-client';
import { s3Code } from './s3-failures';
import { S3Presigner } from './s3-presigner';

const MOST_SKEW = 15 * MINUTE;
const SIGNED_SECONDS = 60;
const PROBE = Buffer.from('A probe of the object store; it may be removed.\n');
const REFUSED = [
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'AuthorizationHeaderMalformed',
  'AuthorizationQueryParametersError',
  'AccessDenied',
  'InvalidSecurity',
  'InvalidToken',
  'AllAccessDisabled',
];
const NO_BUCKET = ['NoSuchBucket', 'PermanentRedirect', 'InvalidBucketName'];

/** A step that went wrong, in words for the person who entered the bucket. */
class StepFailed extends Error {
  constructor(
    readonly step: S3Step,
    readonly detail: string,
  ) {
    super(detail);
  }
}

/**
 * Tries out everything that the product does with a bucket, on probe objects that it removes again. Nothing of the
 * provider's own words leaves it but its error codes.
 */
export class S3Verification {
  private readonly client: S3Client;
  private readonly presigner: S3Presigner;

  constructor(private readonly candidate: S3Candidate) {
    this.client = new S3Client(candidate, candidate.credentials);
    this.presigner = new S3Presigner(candidate);
  }

  /** All steps on probe objects under this key. */
  async verifyStore(key: string): Promise<S3Verdict> {
    const [first, second] = [key, `${key}-signed`];
    const done = new Set<S3Step>();
    const pass = async (step: S3Step, work: () => Promise<void>): Promise<void> => {
      await work().catch((error: unknown) => {
        throw error instanceof StepFailed ? error : new StepFailed(step, wordsOf(error));
      });
      done.add(step);
    };
    try {
      await pass('connect', () => this.connect());
      await pass('auth', () => this.enter());
      done.add('bucket');
      await pass('put', () => this.put(first));
      await pass('get', async () => assertProbe('get', await this.read(first)));
      await pass('presigned_put', () => this.putSigned(second));
      await pass('presigned_get', () => this.getSigned(second));
      await pass('list', () => this.list(key, [first, second]));
      await pass('delete', () => this.remove([first, second]));
      done.add('clock');
      return verdict(done, null);
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error;
      if (done.has('put')) await this.remove([first, second]).catch(() => undefined);
      return verdict(done, error);
    }
  }

  /** The buckets that the credentials may see. */
  async listBuckets(): Promise<{ readonly bucket: string; readonly created: Date }[]> {
    try {
      return (await this.client.listBuckets()).map(({ name, creationDate }) => ({ bucket: name, created: new Date(creationDate) }));
    } catch (error) {
      throw new Problem('unprocessable_content', `The provider does not list its buckets: ${wordsOf(error)}`);
    }
  }

  /** Every answer carries the time; a wrong clock explains every refusal that would follow. */
  private async connect(): Promise<void> {
    const { status, headers } = await this.candidate.send(bucketAddress(this.candidate), { method: 'GET' });
    if (status >= 500) throw new StepFailed('connect', `The endpoint responded with status ${status}.`);
    const theirs = Date.parse(headers.date ?? '');
    const skew = theirs - this.candidate.clock.now().getTime();
    if (Math.abs(skew) > MOST_SKEW)
      throw new StepFailed(
        'clock',
        `The clock of the endpoint is ${Math.round(Math.abs(skew) / MINUTE)} minutes ${skew > 0 ? 'ahead' : 'behind'}.`,
      );
  }

  private async enter(): Promise<void> {
    try {
      await this.client.listObjectsV2Query(this.candidate.bucket, '', '', '', 1, '');
    } catch (error) {
      const code = s3Code(error);
      if (code === 'RequestTimeTooSkewed')
        throw new StepFailed('clock', 'The clock of the endpoint differs too much from that of the service.');
      if (REFUSED.includes(code)) throw new StepFailed('auth', `The credentials were rejected (${code}).`);
      if (NO_BUCKET.includes(code)) throw new StepFailed('bucket', `The bucket does not exist (${code}).`);
      throw error;
    }
  }

  private async put(key: string): Promise<void> {
    const { encryption, bucket } = this.candidate;
    await this.client.putObject(bucket, key, PROBE, PROBE.length, encryption ? { 'x-amz-server-side-encryption': encryption } : {});
  }

  private async read(key: string): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of await this.client.getObject(this.candidate.bucket, key)) pieces.push(piece as Buffer);
    return Buffer.concat(pieces);
  }

  private async putSigned(key: string): Promise<void> {
    const { url, headers }: SignedUpload = this.presigner.put({ key, size: PROBE.length, expiresInSeconds: SIGNED_SECONDS });
    const { status } = await this.candidate.send(url, { method: 'PUT', headers, body: PROBE });
    if (status !== 200) throw new StepFailed('presigned_put', `A signed upload returned status ${status}.`);
  }

  private async getSigned(key: string): Promise<void> {
    const { status, body } = await this.candidate.send(
      this.presigner.get({ key, expiresInSeconds: SIGNED_SECONDS, disposition: 'attachment' }),
      { method: 'GET' },
    );
    if (status !== 200) throw new StepFailed('presigned_get', `A signed download returned status ${status}.`);
    assertProbe('presigned_get', body);
  }

  private async list(prefix: string, keys: readonly string[]): Promise<void> {
    const { objects } = await this.client.listObjectsV2Query(this.candidate.bucket, prefix, '', '', 10, '');
    const found = new Set(objects.map(({ name }) => name));
    if (keys.some((key) => !found.has(key))) throw new StepFailed('list', 'Stored objects are not listed.');
  }

  private async remove(keys: readonly string[]): Promise<void> {
    const answers = await this.client.removeObjects(this.candidate.bucket, [...keys]);
    if (answers.some((answer) => answer?.Error !== undefined || 'Code' in (answer ?? {})))
      throw new StepFailed('delete', 'Objects cannot be deleted.');
  }
}

function assertProbe(step: S3Step, bytes: Buffer): void {
  if (!bytes.equals(PROBE)) throw new StepFailed(step, 'The bytes that were read differ from the stored ones.');
}

function verdict(done: ReadonlySet<S3Step>, failure: StepFailed | null): S3Verdict {
  const steps = S3_STEPS.map((step) => {
    if (failure?.step === step) return { step, ok: false, detail: failure.detail };
    return done.has(step) ? { step, ok: true, detail: '' } : { step, ok: false, detail: 'Not tested.' };
  });
  return { steps, failed: steps.find(({ step }) => step === failure?.step) ?? null };
}

function wordsOf(error: unknown): string {
  if (error instanceof Problem) return error.detail;
  const code = s3Code(error);
  return code === '' ? 'The endpoint cannot be reached, or does not support S3.' : `The request failed with ${code}.`;
}
