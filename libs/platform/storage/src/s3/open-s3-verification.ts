import type { S3Candidate } from './s3-candidate';
import type { S3Verification } from './s3-verification';

/** Looks at a bucket; the client is loaded with the first one. */
export async function openS3Verification(candidate: S3Candidate): Promise<S3Verification> {
  const { S3Verification: Verification } = await import('./s3-verification.js');
  return new Verification(candidate);
}
