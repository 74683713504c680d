import { Injectable } from '@nestjs/common';
import type { JsonWebKey } from 'node:crypto';

/** A public key with its id, what it is for and its algorithm. */
export type PublishedKey = JsonWebKey & { readonly kid: string; readonly use: string; readonly alg: string };

/** Public keys of other contexts that are in our JWK set besides those of access tokens; their owners add them. */
@Injectable()
export class PublishedKeys {
  private readonly sources: (() => Promise<readonly PublishedKey[]>)[] = [];

  register(source: () => Promise<readonly PublishedKey[]>): void {
    this.sources.push(source);
  }

  async collectKeys(): Promise<readonly PublishedKey[]> {
    return (await Promise.all(this.sources.map((source) => source()))).flat();
  }
}
