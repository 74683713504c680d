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
   * All filters must hold. Newest first unless `sort` or a query of the filters says otherwise; `embedding_search` and
   * `similar_to` order by similarity and end after the first 1,000. Each file comes with the albums that hold it, its
   * tags and a signed thumbnail. Where an embedding can not be made, the words of `embedding_search` are searched and
   * the header `X-Search-Mode` says `text` instead of `meaning`.
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
    return answer(await this.listing.list(caller, query), response);
  }

  /**
   * Lists which formats the media library holds.
   *
   * By number of files; without `limit` one page holds all formats. A library of more than 500,000 files is not counted: its formats come without counts.
   */
  @Get('media-files/formats')
  @Policy({ any: ['media:view'] })
  @Returns(FormatPage)
  async formats(@Caller() caller: Principal, @Query() { album, ...query }: CountFormats): Promise<FormatPage> {
    const { data, counted } = await this.overview.formats(caller, { album });
    return { ...pageOfRows(FormatView, data, query, ({ format, file_type, kind }) => `${format} ${file_type} ${kind}`), counted };
  }

  /**
   * Counts what the matching files are: their tags, kinds, statuses, people, cameras and years.
   *
   * The 50 most frequent values each, over the same files that the list shows under the same filters; of more than
   * 100,000 files over the newest 100,000.
   */
  @Get('media-files/facets')
  @Policy({ any: ['media:view'] })
  @Returns(FacetsView)
  @Problems('not_found')
  facets(@Caller() caller: Principal, @Query() { facets, ...query }: CountFacets): Promise<FacetsAnswer> {
    return this.overview.facets(caller, query, facets);
  }

  /**
   * Counts the matching files by when they were taken.
   *
   * Files that tell no time of their own stand where they were added. Buckets are in UTC.
   */
  @Get('media-files/timeline')
  @Named('getMediaTimeline')
  @Policy({ any: ['media:view'] })
  @Returns(TimelineView)
  @Problems('not_found')
  timeline(@Caller() caller: Principal, @Query() { by, ...query }: CountByTime): Promise<TimelineView> {
    return this.overview.timeline(caller, query, by);
  }

  /**
   * Reads one file of the media library with all that is known of it.
   *
   * Besides the file: its albums (those the caller may read), tags, people, the latest analysis by each schema, how many versions it has, its publication, and where its status may go.
   */
  @Get('media-files/:id')
  @HasId()
  @Policy({ any: ['media:view'] })
  @ReturnsResource(MediaFileDetailView)
  one(@Caller() caller: Principal, @PathId() id: string): Promise<MediaFileDetails> {
    return this.overview.one(caller, id);
  }

  /**
   * Lists the files of an album, curated or smart alike.
   *
   * With the filters of the media library; `sort=af_position` is the manual order of a curated album. What a smart album
   * shows is found with the rights of the caller.
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
