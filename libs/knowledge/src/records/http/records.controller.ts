import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import { RecordList, type ListedRecord, type VersionedRecord } from '../application/record-list';
import { RecordsService } from '../application/records.service';
import { ChangeRecord, CreateRecord, KnowledgeRecordPage, KnowledgeRecordView, ListRecords } from './records.dto';

@ApiTags('Knowledge base records')
@Controller('knowledge-bases/:id/records')
export class RecordsController {
  constructor(
    private readonly records: RecordsService,
    private readonly rows: RecordList,
  ) {}

  /**
   * Lists the records of a knowledge base.
   *
   * The newest come first. Deleted records are listed only with `rec_active=false`. With `embedding_search`, up to
   * 100 records are returned, the most similar first.
   */
  @Get()
  @Named('listKnowledgeBaseRecords')
  @Policy({ any: ['knowledge-base:view'] })
  @HasId('id', 'Id of the knowledge base.')
  @Returns(KnowledgeRecordPage, 'A page of records.')
  @Problems('invalid_state')
  list(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListRecords): Promise<Page<ListedRecord>> {
    return this.rows.listRecords(caller, id, query);
  }

  /**
   * Creates a record.
   *
   * In a text base, `rec_name` and `rec_content.body` are required; raw HTML in the body is converted to markdown. In
   * a base with a schema, `rec_content` must follow it; errors are reported with their path, such as
   * `rec_content.answer`. A published record can be found once it is indexed. Fails with 409 if another record of the
   * base has the same external id.
   */
  @Post()
  @Named('createKnowledgeBaseRecord')
  @Policy({ all: ['knowledge-base:write'] })
  @HasId('id', 'Id of the knowledge base.')
  @Creates(KnowledgeRecordView, 'knowledge-bases/{rec_base}/records/{rec_id}')
  @Problems('already_exists', 'invalid_state', 'limit_reached', 'payload_too_large')
  create(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: CreateRecord): Promise<VersionedRecord> {
    return this.records.create(caller, id, body);
  }

  /**
   * Reads a record.
   *
   * A deleted record is returned with `rec_active` false for 30 days.
   */
  @Get(':record_id')
  @Named('readKnowledgeBaseRecord')
  @Policy({ any: ['knowledge-base:view'] })
  @HasId('id', 'Id of the knowledge base.')
  @HasId('record_id', 'Id of the record.')
  @ReturnsState(KnowledgeRecordView, 'The record.')
  get(@Caller() caller: Principal, @PathId() id: string, @PathId('record_id') record_id: string): Promise<VersionedRecord> {
    return this.rows.getRecord(caller, id, record_id);
  }

  /**
   * Changes a record.
   *
   * Omitted fields stay as they are. `rec_content` is merged by key, and null removes a value. A request that changes
   * nothing creates no version. Content cannot be changed while the schema is inactive (409 `invalid_state`), and a
   * deleted record not at all.
   */
  @Patch(':record_id')
  @Named('updateKnowledgeBaseRecord')
  @Policy({ all: ['knowledge-base:write'] })
  @HasId('id', 'Id of the knowledge base.')
  @HasId('record_id', 'Id of the record.')
  @HonoursIfMatch()
  @ReturnsState(KnowledgeRecordView, 'The record.')
  @Problems('already_exists', 'invalid_state', 'payload_too_large', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('record_id') record_id: string,
    @FromBody() body: ChangeRecord,
    @IfMatch() precondition?: Precondition,
  ): Promise<VersionedRecord> {
    return this.records.change(caller, id, record_id, body, precondition);
  }

  /**
   * Deletes a record.
   *
   * It disappears from search immediately. It can be read for 30 days, but not restored.
   */
  @Delete(':record_id')
  @Named('deleteKnowledgeBaseRecord')
  @Policy({ all: ['knowledge-base:delete'] })
  @HasId('id', 'Id of the knowledge base.')
  @HasId('record_id', 'Id of the record.')
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('precondition_failed', 'in_use')
  remove(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('record_id') record_id: string,
    @IfMatch() precondition?: Precondition,
  ): Promise<void> {
    return this.records.remove(caller, id, record_id, precondition);
  }
}
