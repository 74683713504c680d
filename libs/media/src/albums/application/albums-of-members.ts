import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ContentOwners, type ContentBatch, type ContentMove, type ContentMoved } from '@atrium/identity';
import { Database } from '@atrium/platform/database';
import { AlbumsRepository } from '../infrastructure/albums.repository';

/** Hands the albums that one member made to another one, when an administrator asks for it. */
@Injectable()
export class AlbumsOfMembers implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly owners: ContentOwners,
    private readonly albums: AlbumsRepository,
  ) {}

  onModuleInit(): void {
    this.owners.register({ context: 'media', transferContent: (move, batch) => this.transfer(move, batch) });
  }

  private async transfer(move: ContentMove, batch: ContentBatch): Promise<ContentMoved> {
    const { moved, seen, last } = await this.db.write(() => this.albums.handOver(move, batch));
    return { moved, next: seen < batch.size ? null : last };
  }
}
