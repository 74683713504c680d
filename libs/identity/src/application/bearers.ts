import { createPublicKey } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ACCESS_TOKEN } from '@atrium/platform/access';
import { jwtVerify } from 'jose';
import { SigningKeys } from './signing-keys';

/** Whose access token a public route was called with, where that matters to it. */
@Injectable()
export class Bearers {
  constructor(private readonly keys: SigningKeys) {}

  /** The account of a token of ours that is still good; null for anything else. */
  async accountOf(authorization: string | undefined): Promise<string | null> {
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(authorization ?? '')?.[1];
    if (!token) return null;
    try {
      const { payload } = await jwtVerify(
        token,
        async ({ kid }) => {
          const pem = kid ? await this.keys.publicKey(kid) : null;
          if (!pem) throw new Error('No key of ours signed it.');
          return createPublicKey(pem);
        },
        { algorithms: [ACCESS_TOKEN.algorithm], issuer: ACCESS_TOKEN.issuer, audience: ACCESS_TOKEN.audience },
      );
      return payload.sub ?? null;
    } catch {
      return null;
    }
  }
}
