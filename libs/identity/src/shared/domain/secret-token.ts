import { createHash, randomBytes } from 'node:crypto';

/** A secret of 256 random bits that is handed out once; only its hash is kept. */
export const newSecretToken = (): string => randomBytes(32).toString('base64url');

export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('hex');
