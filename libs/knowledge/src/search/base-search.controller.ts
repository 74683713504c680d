import { Body as FromBody, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RetrievalResult } from '@atrium/documents';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { HasId, PathId, Problems, Returns } from '@atrium/platform/http';
import { SearchKnowledgeBase } from './base-search.dto';
import { BaseSearch, type ShownHits } from './base-search.service';

@ApiTags('Knowledge bases')
@Controller('knowledge-bases/:id/search')
export class BaseSearchController {
  constructor(private readonly search: BaseSearch) {}

  /**
   * Searches the records and files of a knowledge base by words and by meaning.
   *
   * Drafts, archived records and records outside their validity period are not found, nor are documents that you
   * cannot view. `filter.fields` restricts records by the filterable fields of the schema.
   */
  @Post()
  @HttpCode(200)
  @Named('searchKnowledgeBase')
  @Policy({ any: ['knowledge-base:view'] }, { rate: 'search' })
  @HasId('id', 'Id of the knowledge base.')
  @Returns(RetrievalResult, 'The passages found.')
  @Problems('invalid_state', 'upstream_failed')
  find(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: SearchKnowledgeBase): Promise<ShownHits> {
    return this.search.searchBase(caller, id, body);
  }
}
