import { Body as FromBody, Controller, Delete, Get, Patch, Post, Put, Query, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, KeptAs, PathId, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import { invalidField, isId } from '@atrium/platform/kernel';
import type { Response } from 'express';
import { MessagesService } from '../application/messages.service';
import { ThreadChanges } from '../application/thread-changes';
import type { ThreadAnswer } from '../application/thread-answers';
import {
  ThreadsService,
  type FoundOrCreatedThread,
  type ListedThread,
  type ThreadFilters,
  type FoundThread,
} from '../application/threads.service';
import {
  ChangeThread,
  CreateThread,
  FoundThreadPage,
  ListThreads,
  SearchThreads,
  SeekThread,
  SelectLeaf,
  ThreadDetail,
  ThreadPage,
} from './threads.dto';

const MOST_IDS = 200;

@ApiTags('Threads')
@Controller('threads')
export class ThreadsController {
  constructor(
    private readonly threads: ThreadsService,
    private readonly changes: ThreadChanges,
    private readonly messages: MessagesService,
  ) {}

  /**
   * Lists your threads and the threads shared with you.
   *
   * The most recently changed come first. Threads about subjects are listed only with `thread_type=context`; your own
   * deleted threads only with `thread_active=false`.
   */
  @Get()
  @Policy({ any: ['thread:view'] })
  @Returns(ThreadPage, 'A page of threads.')
  list(@Caller() caller: Principal, @Query() { thread_ids, ...query }: ListThreads): Promise<Page<ListedThread>> {
    return this.threads.list(caller, { ...(query as ThreadFilters), ...(thread_ids ? { thread_ids: idsIn(thread_ids) } : {}) });
  }

  /**
   * Creates a thread.
   *
   * You choose its id, so that you can repeat the request safely; it fails with 409 if a thread with this id exists.
   * The thread is personal unless you put it in a space, which requires the role editor or owner in the space.
   */
  @Post()
  @Policy({ all: ['thread:create'] })
  @Creates(ThreadDetail, 'threads/{thread_id}')
  @Problems('already_exists', 'not_found')
  create(@Caller() caller: Principal, @FromBody() body: CreateThread): Promise<ThreadAnswer> {
    return this.threads.create(caller, body);
  }

  /**
   * Finds or creates your thread with an agent about a subject.
   *
   * Returns 201 for a new thread and 200 for an existing one. Simultaneous requests return the same thread. If the
   * subject does not exist or you cannot view it, the request fails with 400 and an error `reference`.
   */
  @Post('find-or-create')
  @Named('findOrCreateThread')
  @Policy({ all: ['thread:create'] })
  @Creates(ThreadDetail, 'threads/{thread_id}')
  @ApiResponse({ status: 200, type: ThreadDetail, description: 'The existing thread.' })
  @KeptAs(({ thread, isNew }: Partial<FoundOrCreatedThread>) => thread && { status: isNew ? 201 : 200, body: thread })
  @Problems('already_exists', 'not_found')
  async findOrCreate(
    @Caller() caller: Principal,
    @FromBody() body: SeekThread,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ThreadAnswer> {
    const { thread, isNew } = await this.threads.findOrCreate(caller, body);
    if (!isNew) response.status(200);
    return thread;
  }

  /**
   * Searches the titles and messages of the threads that you can view.
   *
   * Returns the best matches first, one entry per thread with the matching text; at most 200 threads.
   */
  @Get('search')
  @Named('searchThreads')
  @Policy({ any: ['thread:view'] }, { rate: 'search' })
  @Returns(FoundThreadPage, 'A page of threads.')
  search(@Caller() caller: Principal, @Query() query: SearchThreads): Promise<Page<FoundThread>> {
    return this.threads.search(caller, query);
  }

  /**
   * Reads a thread with its agent, its subject and your access level.
   */
  @Get(':id')
  @Policy({ any: ['thread:view'] })
  @HasId('id', 'Id of the thread.')
  @ReturnsState(ThreadDetail, 'The thread.')
  get(@Caller() caller: Principal, @PathId() id: string): Promise<ThreadAnswer> {
    return this.threads.get(caller, id);
  }

  /**
   * Changes a thread.
   *
   * Only owners can change sharing, the owner and `thread_active`, and reopen a closed thread. `thread_active: true`
   * restores a deleted thread with its messages; it cannot be changed otherwise (409).
   */
  @Patch(':id')
  @Policy({ all: ['thread:edit'] })
  @HasId('id', 'Id of the thread.')
  @HonoursIfMatch()
  @ReturnsState(ThreadDetail, 'The thread.')
  @Problems('already_exists', 'invalid_state', 'limit_reached', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeThread,
    @IfMatch() precondition?: Precondition,
  ): Promise<ThreadAnswer> {
    return this.changes.changeThread(caller, id, body, precondition);
  }

  /**
   * Deletes a thread with its messages.
   *
   * An answer in progress is stopped. The owner can restore the thread until the retention period ends.
   */
  @Delete(':id')
  @Policy({ all: ['thread:edit'] })
  @HasId('id', 'Id of the thread.')
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('precondition_failed')
  remove(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.changes.deleteThread(caller, id, precondition);
  }

  /**
   * Selects the branch that is shown and continued.
   *
   * The branch contains the given message and continues to the end of its newest continuation.
   */
  @Put(':id/leaf')
  @Named('selectThreadLeaf')
  @Policy({ all: ['thread:edit'] })
  @HasId('id', 'Id of the thread.')
  @ReturnsState(ThreadDetail, 'The thread.')
  select(@Caller() caller: Principal, @PathId() id: string, @FromBody() { msg_id }: SelectLeaf): Promise<ThreadAnswer> {
    return this.messages.selectBranch(caller, id, msg_id.toLowerCase());
  }
}

function idsIn(named: Readonly<Record<string, unknown>>): string[] {
  const ids = Object.entries(named);
  if (ids.length > MOST_IDS) throw invalidField('thread_ids', `must have at most ${MOST_IDS} ids`, 'too_many');
  return ids.map(([key, id]) => {
    if (!isId(id)) throw invalidField(`thread_ids.${key.slice(0, 64)}`, 'must be a UUID', 'uuid');
    return id;
  });
}
