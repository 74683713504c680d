import { Body as FromBody, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Caller, Named, Policy, self, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import {
  Creates,
  Deletes,
  HasId,
  HonoursIfMatch,
  IfMatch,
  KeptAs,
  PathId,
  Problems,
  Returns,
  ReturnsResource,
} from '@atrium/platform/http';
import { MemoriesService, type WrittenMemory } from '../application/memories.service';
import { ChangeMemory, CreateMemory, ForgottenView, ListMemories, MemoryPage, MemoryView } from './memories.dto';

/** A key that has nothing to do with conversations has nothing to do with what is remembered of its person. */
const OWN = { byKey: ['thread:view'] } as const;
/** A key that only reads conversations writes nothing that is put into their answers, and deletes nothing that cannot be restored. */
const CHANGED = { byKey: ['thread:edit'] } as const;

@ApiTags('Memories')
@Controller('memories')
export class MemoriesController {
  constructor(private readonly memories: MemoriesService) {}

  /**
   * Lists your memories.
   *
   * The most recently changed come first. Only you can see your memories; administrators cannot.
   */
  @Get()
  @Policy(self, OWN)
  @Returns(MemoryPage, 'A page of memories.')
  list(@Caller() caller: Principal, @Query() query: ListMemories): Promise<Page<object>> {
    return this.memories.list(caller, query);
  }

  /**
   * Creates a memory.
   *
   * If you already have a memory with the same text, regardless of case and spaces, it is returned with 200. Fails
   * with 409 beyond 500 memories.
   */
  @Post()
  @Policy(self, CHANGED)
  @Creates(MemoryView, 'memories/{mem_id}')
  @ApiResponse({ status: 200, type: MemoryView, description: 'The existing memory with this text.' })
  @KeptAs(({ memory, isNew }: Partial<WrittenMemory>) => memory && { status: isNew ? 201 : 200, body: memory })
  @Problems('limit_reached')
  async create(
    @Caller() caller: Principal,
    @FromBody() body: CreateMemory,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const { memory, isNew } = await this.memories.create(caller, body);
    if (!isNew) response.status(200);
    return memory;
  }

  /**
   * Deletes all your memories.
   *
   * They cannot be restored.
   */
  @Delete()
  @HttpCode(200)
  @Named('deleteAllMemories')
  @Policy(self, CHANGED)
  @Returns(ForgottenView, 'The number of deleted memories.')
  async removeAll(@Caller() { user_id }: Principal): Promise<ForgottenView> {
    return { deleted: await this.memories.removeAll(user_id) };
  }

  /**
   * Changes one of your memories.
   *
   * With `mem_active: false`, agents no longer use it. Fails with 409 `already_exists` if you have another memory
   * with the same text, and with `limit_reached` if the memory already has 50 earlier texts.
   */
  @Patch(':id')
  @Policy(self, CHANGED)
  @HasId('id', 'Id of the memory.')
  @HonoursIfMatch()
  @ReturnsResource(MemoryView)
  @Problems('already_exists', 'limit_reached', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeMemory,
    @IfMatch() precondition?: Precondition,
  ): Promise<object> {
    return this.memories.change(caller, id, body, precondition);
  }

  /**
   * Deletes one of your memories.
   *
   * It cannot be restored.
   */
  @Delete(':id')
  @Policy(self, CHANGED)
  @HasId('id', 'Id of the memory.')
  @HonoursIfMatch()
  @Deletes()
  @Problems('precondition_failed')
  remove(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.memories.remove(caller, id, precondition);
  }
}
