import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, sql } from '@atrium/platform/database';
import { invalidField, notFound } from '@atrium/platform/kernel';
import { FileSummaries, LibraryFiles } from '@atrium/files';
import {
  BUCKETS,
  FACETS,
  LibraryOverviewRepository,
  type BucketCount,
  type BucketSize,
  type Counted,
  type FacetCount,
  type FacetName,
  type FormatCount,
} from '../infrastructure/library-overview.repository';
import { MediaFacts, type MediaFactsOfFile } from './media-facts';
import { MediaFiles, type MediaFileRow } from './media-files';
import { MediaListing } from './media-listing.service';
import type { MediaFilters } from './media-query';

/** One facet: a property of files, and how many have each of its values. */
export interface Facet {
  readonly facet: FacetName;
  readonly group: string | null;
  readonly values: readonly Pick<FacetCount, 'value' | 'label' | 'count'>[];
}

export interface FacetsAnswer {
  readonly data: readonly Facet[];
  readonly sampled: boolean;
  readonly counted: number;
}

export interface FormatsAnswer {
  readonly data: readonly FormatCount[];
  readonly counted: boolean;
}

export type MediaFileDetails = Omit<MediaFileRow, 'file_kind'> & MediaFactsOfFile & { readonly version_count: number };

/** The media library from above: what a selection is made of, counted over the same files that its list shows; and one file with all that is known of it. */
@Injectable()
export class MediaOverview {
  constructor(
    private readonly db: Database,
    private readonly listing: MediaListing,
    private readonly library: LibraryFiles,
    private readonly summaries: FileSummaries,
    private readonly media: MediaFiles,
    private readonly facts: MediaFacts,
    private readonly overview: LibraryOverviewRepository,
  ) {}

  getFacets(caller: Principal, filters: MediaFilters, names: readonly FacetName[] = FACETS): Promise<FacetsAnswer> {
    const unknown = names.findIndex((name) => !FACETS.includes(name));
    if (unknown >= 0) throw invalidField(`facets[${unknown}]`, `must be one of ${FACETS.join(', ')}`, 'choice');
    return this.db.readMany(async () => {
      const { counts, ...how } = await this.overview.countFacets(await this.counted(caller, filters), names);
      return { data: names.flatMap((name) => (name === 'tags' ? byGroup(counts) : [facetOf(name, null, counts)])), ...how };
    });
  }

  getTimeline(caller: Principal, filters: MediaFilters, by: BucketSize = 'month'): Promise<{ data: BucketCount[] }> {
    return this.db.readMany(async () => ({ data: await this.overview.countTimeline(await this.counted(caller, filters), by) }));
  }

  listFormats(caller: Principal, filters: MediaFilters): Promise<FormatsAnswer> {
    return this.db.readMany(async () => this.overview.countFormats(await this.counted(caller, filters)));
  }

  getDetails(caller: Principal, id: string): Promise<MediaFileDetails> {
    return this.db.read(async () => {
      const [file] = await this.library.findVisible(caller, 'media', [id]);
      if (!file) throw notFound('file');
      const [completed, facts, versions] = await Promise.all([
        this.media.completeRows(caller, [file]),
        this.facts.readFacts(caller, file),
        this.summaries.countVersions(id),
      ]);
      const { file_kind: _, ...row } = completed[0] as MediaFileRow;
      return { ...row, ...facts, version_count: versions };
    });
  }

  private async counted(caller: Principal, filters: MediaFilters): Promise<Counted> {
    const { where, join, orders } = await this.listing.selectFiles(caller, filters);
    const counted = this.library.countClauses(caller, 'media', filters, { where: [where], join, ignore: ['file_name', 'file_metadata'] });
    const all = Object.values(filters).every((value) => value === undefined);
    return {
      ...counted,
      newest: orders.file_created?.key ?? sql`r.file_created`,
      byDay: all ? this.library.dayQuery(caller, 'media') : null,
    };
  }
}

const facetOf = (facet: FacetName, group: string | null, counts: readonly FacetCount[]): Facet => ({
  facet,
  group,
  values: counts
    .filter((count) => count.facet === facet && count.group === group)
    .map(({ value, label, count }) => ({ value, label, count })),
});

/** Every group with tags on the files is a facet of its own. */
function byGroup(counts: readonly FacetCount[]): Facet[] {
  const groups = new Set(counts.filter(({ facet }) => facet === 'tags').map(({ group }) => group));
  return [...groups].map((group) => facetOf('tags', group, counts));
}

export { BUCKETS, FACETS, type BucketSize, type FacetName };
