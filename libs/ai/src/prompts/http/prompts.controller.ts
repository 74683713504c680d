import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import { PromptsService } from '../application/prompts.service';
import { ChangePrompt, CreatePrompt, ListPrompts, PromptPage, PromptView } from './prompts.dto';

@ApiTags('Prompts')
@Controller('prompts')
export class PromptsController {
  constructor(private readonly prompts: PromptsService) {}

  /**
   * Lists the prompts that the caller may see.
   *
   * Newest first. Deleted ones are left out unless `prompt_active=false` asks for them. `prompt_category` includes the
   * categories below it.
   */
  @Get()
  @Policy({ any: ['prompt:view'] })
  @Returns(PromptPage, 'A page of prompts.')
  list(@Caller() caller: Principal, @Query() query: ListPrompts): Promise<Page<object>> {
    return this.prompts.list(caller, query);
  }

  /**
   * Creates a prompt.
   *
   * `{{name}}` in the text is asked for when the prompt is run, as the wildcard of that name says; a name without a wildcard
   * takes free text. 409 when the caller has an active prompt of the name.
   */
  @Post()
  @Policy({ all: ['prompt:edit'] })
  @Creates(PromptView, 'prompts/{prompt_id}')
  @Problems('already_exists')
  create(@Caller() caller: Principal, @FromBody() body: CreatePrompt): Promise<object> {
    return this.prompts.create(caller, body);
  }

  /** Reads one prompt. */
  @Get(':id')
  @Policy({ any: ['prompt:view'] })
  @HasId('id', 'Id of the prompt.')
  @ReturnsState(PromptView, 'The prompt.')
  one(@Caller() caller: Principal, @PathId() id: string): Promise<object> {
    return this.prompts.one(caller, id);
  }

  /**
   * Changes a prompt.
   *
   * Only the fields present are applied; lists and objects are replaced as a whole. Each change makes a new version. The access
   * list is changed by owners of the prompt and by administrators (`admin:settings`) who can see it. `prompt_active: true` brings a
   * deleted prompt back.
   */
  @Patch(':id')
  @Policy({ all: ['prompt:edit'] })
  @HasId('id', 'Id of the prompt.')
  @HonoursIfMatch()
  @ReturnsState(PromptView, 'The prompt.')
  @Problems('already_exists', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangePrompt,
    @IfMatch() precondition?: Precondition,
  ): Promise<object> {
    return this.prompts.change(caller, id, body, precondition);
  }

  /**
   * Deletes a prompt.
   *
   * Messages that were written with it stay as they are.
   */
  @Delete(':id')
  @Policy({ all: ['prompt:delete'] })
  @HasId('id', 'Id of the prompt.')
  @HonoursIfMatch()
  @Deletes()
  @Problems('precondition_failed')
  remove(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.prompts.remove(caller, id, precondition);
  }
}
