import { Injectable } from '@nestjs/common';
import type { ByteRange } from '@atrium/platform/storage';
import type { Readable } from 'node:stream';
import { PublicStore } from '../infrastructure/public-store';

/** The bytes of public copies, for whoever sends them. */
@Injectable()
export class PublishedBytes {
  constructor(private readonly store: PublicStore) {}

  open(object: string, range?: ByteRange): Promise<Readable> {
    return this.store.get(object, range);
  }
}
