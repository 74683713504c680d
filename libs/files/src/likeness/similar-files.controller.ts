import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page } from '@atrium/platform/database';
import { HasId, PathId, Problems, Returns } from '@atrium/platform/http';
import { FileSimilarity } from './file-similarity';
import type { FileRow } from '../core/domain/file-row';
import { VIEW } from '../core/application/route-permissions';
import { FindSimilar, SimilarFilePage } from './similar-files.dto';

const LIMIT = 50;
const MOST = 1_000;
const ALIKE = 0.85;

@ApiTags('Files')
@Controller('files')
export class SimilarFilesController {
  constructor(private readonly likeness: FileSimilarity) {}

  /**
   * Lists files of the same repository that resemble a file, most similar first.
   *
   * `visual` compares the appearance of pictures: scaled, re-encoded and slightly retouched copies have a similarity above 0.9. A file
   * without appearance data (not a picture, or one that could not be read) has no matches. `meaning` returns 501 if no embedding
   * provider is configured. There is one page.
   */
  @Get(':id/similar')
  @Named('listSimilarFiles')
  @HasId()
  @Policy({ any: VIEW })
  @Returns(SimilarFilePage)
  @Problems('not_configured', 'license_required')
  async list(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() { by = 'visual', threshold = ALIKE, limit = LIMIT }: FindSimilar,
  ): Promise<Page<FileRow & { readonly similarity: number }>> {
    const data = await this.likeness.findSimilar(caller, id, { by, threshold, limit: Math.min(limit, MOST) });
    return { data, has_more: false, next_cursor: null };
  }
}
