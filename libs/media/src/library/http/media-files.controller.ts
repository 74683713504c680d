import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { pageOfRows, type Page } from '@atrium/platform/database';
import { HasId, PathId, Problems, Returns, ReturnsResource } from '@atrium/platform/http';
import type { Response } from 'express';
import { MediaListing, type ListedMediaFile, type MediaPage } from '../application/media-listing.service';
import { MediaOverview, type FacetsAnswer, type MediaFileDetails } from '../application/media-overview.service';
import {
  CountByTime,
  CountFacets,
  CountFormats,
  FacetsView,
  FormatPage,
  FormatView,
  ListAlbumContents,
  ListMediaFiles,
  MediaFileDetailView,
  MediaFilePage,
  TimelineView,
} from './media-files.dto';

const MODE = 'X-Search-Mode';

/** A page, and in a header how it was found. */
function answer({ page, mode }: MediaPage, response: Response): Page<ListedMediaFile> {
  if (mode) response.setHeader(MODE, mode);
  return page;
}

/** The media library as it is looked through. */
@ApiTags('Files')
@Controller()
export class MediaFilesController {
  constructor(
    private readonly listing: MediaListing,
    private readonly overview: MediaOverview,
  ) {}

  /**
   * Lists the files of the media library.
   *
   * A file must match all filters. Sorted by creation time, newest first, unless `sort` or the query specifies another order;
   * `embedding_search` and `similar_to` sort by similarity and return at most 1,000 files. Each file includes its albums, its tags and
   * a signed thumbnail URL. If the embedding cannot be computed, `embedding_search` is a text search and the header `X-Search-Mode` is
   * `text` instead of `meaning`.
   */
  @Get('media-files')
  @Policy({ any: ['media:view'] })
  @Returns(MediaFilePage)
  @Problems('not_found')
  async list(
    @Caller() caller: Principal,
    @Query() query: ListMediaFiles,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page<ListedMediaFile>> {
    return answer(await this.listing.listMedia(caller, query), response);
  }

  /**
   * Lists the file formats in the media library.
   *
   * Sorted by number of files; without `limit`, one page contains all formats. For a library of more than 500,000 files, the formats
   * are listed without counts.
   */
  @Get('media-files/formats')
  @Policy({ any: ['media:view'] })
  @Returns(FormatPage)
  async formats(@Caller() caller: Principal, @Query() { album, ...query }: CountFormats): Promise<FormatPage> {
    const { data, counted } = await this.overview.listFormats(caller, { album });
    return { ...pageOfRows(FormatView, data, query, ({ format, file_type, kind }) => `${format} ${file_type} ${kind}`), counted };
  }

  /**
   * Counts the matching files by tag, kind, status, person, camera and year.
   *
   * Returns the 50 most frequent values of each facet. Filters work as in the list of files. If more than 100,000 files match, only
   * the newest 100,000 are counted.
   */
  @Get('media-files/facets')
  @Policy({ any: ['media:view'] })
  @Returns(FacetsView)
  @Problems('not_found')
  facets(@Caller() caller: Principal, @Query() { facets, ...query }: CountFacets): Promise<FacetsAnswer> {
    return this.overview.getFacets(caller, query, facets);
  }

  /**
   * Counts the matching files by capture time.
   *
   * Files without a capture time are counted at the time they were added. Buckets are in UTC.
   */
  @Get('media-files/timeline')
  @Named('getMediaTimeline')
  @Policy({ any: ['media:view'] })
  @Returns(TimelineView)
  @Problems('not_found')
  timeline(@Caller() caller: Principal, @Query() { by, ...query }: CountByTime): Promise<TimelineView> {
    return this.overview.getTimeline(caller, query, by);
  }

  /**
   * Reads a file of the media library with its albums, tags, people, analyses and publication.
   *
   * Also includes the number of its versions and its possible next statuses. Only albums that you may read are included.
   */
  @Get('media-files/:id')
  @HasId()
  @Policy({ any: ['media:view'] })
  @ReturnsResource(MediaFileDetailView)
  get(@Caller() caller: Principal, @PathId() id: string): Promise<MediaFileDetails> {
    return this.overview.getDetails(caller, id);
  }

  /**
   * Lists the files of an album, curated or smart.
   *
   * Filters work as in the media library. `sort=af_position` is the manual order of a curated album. The files of a smart album are
   * found with your permissions.
   */
  @Get('albums/:id/files')
  @HasId('id', 'Id of the album.')
  @Policy({ any: ['media:view'] })
  @Returns(MediaFilePage)
  async ofAlbum(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() query: ListAlbumContents,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page<ListedMediaFile>> {
    return answer(await this.listing.listAlbum(caller, id, query), response);
  }
}
