import { Body as FromBody, Controller, Delete, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsResource } from '@atrium/platform/http';
import { AnalysisSchemas, type SchemaRow } from '../application/analysis-schemas.service';
import { SchemaSuggestions, type Suggestion } from '../application/schema-suggestions';
import {
  AnalysisSchemaPage,
  AnalysisSchemaView,
  ListAnalysisSchemas,
  SuggestedFields,
  SuggestSchema,
  WriteAnalysisSchema,
} from './analysis-schemas.dto';

@ApiTags('Media analysis schemas')
@Controller('media-analysis-schemas')
export class AnalysisSchemasController {
  constructor(
    private readonly schemas: AnalysisSchemas,
    private readonly suggestions: SchemaSuggestions,
  ) {}

  /**
   * Lists analysis schemas.
   *
   * Sorted by creation time, newest first.
   */
  @Get()
  @Policy({ any: ['media:view'] })
  @Returns(AnalysisSchemaPage, 'A page of schemas.')
  list(@Query() query: ListAnalysisSchemas): Promise<Page<SchemaRow>> {
    return this.schemas.list(query);
  }

  /**
   * Creates an analysis schema.
   *
   * A schema has 1 to 40 fields. With `mas_auto`, every new file of its kinds is analyzed, which costs credits if a field uses a
   * model.
   */
  @Post()
  @Policy({ any: ['admin:settings'] })
  @Creates(AnalysisSchemaView, 'media-analysis-schemas/{mas_id}')
  @Problems('already_exists', 'limit_reached')
  create(@FromBody() body: WriteAnalysisSchema): Promise<SchemaRow> {
    return this.schemas.create(body);
  }

  /**
   * Suggests fields for a schema.
   *
   * A vision model evaluates the description and the sample files. Nothing is stored. The cost is that of the evaluated pictures, at
   * least one. 501 if no vision model is configured.
   */
  @Post('suggest')
  @Named('suggestMediaAnalysisSchema')
  @HttpCode(200)
  @Policy({ any: ['admin:settings'], rate: 'ai' })
  @Returns(SuggestedFields, 'The proposed fields.')
  @Problems('not_configured', 'credits_exhausted', 'upstream_failed', 'upstream_timeout', 'unprocessable_content')
  suggest(@Caller() caller: Principal, @FromBody() body: SuggestSchema): Promise<Suggestion> {
    return this.suggestions.suggestSchema(caller, body);
  }

  /**
   * Reads one analysis schema.
   */
  @Get(':id')
  @Policy({ any: ['media:view'] })
  @HasId('id', 'Id of the schema.')
  @ReturnsResource(AnalysisSchemaView)
  get(@PathId() id: string): Promise<SchemaRow> {
    return this.schemas.get(id);
  }

  /**
   * Replaces an analysis schema.
   *
   * Omitted fields are cleared. Changing `mas_fields` creates a new version of the schema; earlier results remain until the file is
   * analyzed again. Renaming a field removes one and adds another.
   */
  @Put(':id')
  @Policy({ any: ['admin:settings'] })
  @HasId('id', 'Id of the schema.')
  @HonoursIfMatch()
  @ReturnsResource(AnalysisSchemaView)
  @Problems('already_exists', 'precondition_failed')
  replace(@PathId() id: string, @FromBody() body: WriteAnalysisSchema, @IfMatch() precondition?: Precondition): Promise<SchemaRow> {
    return this.schemas.replace(id, body, precondition);
  }

  /**
   * Deletes an analysis schema.
   *
   * Its analyses remain.
   */
  @Delete(':id')
  @Policy({ any: ['admin:settings'] })
  @HasId('id', 'Id of the schema.')
  @HonoursIfMatch()
  @Deletes()
  @Problems('precondition_failed')
  remove(@PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.schemas.remove(id, precondition);
  }
}
