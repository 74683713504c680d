import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, type Page } from '@atrium/platform/database';
import { MediaListing, type ListedMediaFile } from '../../library/application/media-listing.service';
import type { MediaFilters } from '../../library/application/media-query';
import { PeopleService } from './people.service';

/** The files that show a person, listed as the library is. */
@Injectable()
export class FilesOfPeople {
  constructor(
    private readonly db: Database,
    private readonly people: PeopleService,
    private readonly listing: MediaListing,
  ) {}

  async listFiles(caller: Principal, id: string, filters: MediaFilters): Promise<Page<ListedMediaFile>> {
    const person = await this.db.read(() => this.people.resolvePersonId(id));
    return (await this.listing.listMedia(caller, { ...filters, person: [...(filters.person ?? []), person] })).page;
  }
}
