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
   * Lists the prompts that you can view.
   *
   * The newest come first. Deleted prompts are listed only with `prompt_active=false`. `prompt_category` includes its
   * subcategories.
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
   * A value for each `{{name}}` in the text is requested when the prompt is run, as defined by the wildcard with that
   * name; a name without a wildcard accepts any text. Fails with 409 if you already have an active prompt with the
   * same name.
   */
  @Post()
  @Policy({ all: ['prompt:edit'] })
  @Creates(PromptView, 'prompts/{prompt_id}')
  @Problems('already_exists')
  create(@Caller() caller: Principal, @FromBody() body: CreatePrompt): Promise<object> {
    return this.prompts.create(caller, body);
  }

  /** Reads a prompt. */
  @Get(':id')
  @Policy({ any: ['prompt:view'] })
  @HasId('id', 'Id of the prompt.')
  @ReturnsState(PromptView, 'The prompt.')
  get(@Caller() caller: Principal, @PathId() id: string): Promise<object> {
    return this.prompts.get(caller, id);
  }

  /**
   * Changes a prompt.
   *
   * Omitted fields stay as they are; lists and objects are replaced as a whole. Each change creates a new version.
   * The access list can be changed by owners of the prompt and by administrators (`admin:settings`) who can view it.
   * `prompt_active: true` restores a deleted prompt, which cannot be changed otherwise (409);
   * `prompt_active: false` deletes it and requires `prompt:delete`.
   */
  @Patch(':id')
  @Policy({ all: ['prompt:edit'] })
  @HasId('id', 'Id of the prompt.')
  @HonoursIfMatch()
  @ReturnsState(PromptView, 'The prompt.')
  @Problems('already_exists', 'invalid_state', 'precondition_failed')
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
   * Messages that were created with it are not changed.
   */
  @Delete(':id')
  @Policy({ all: ['prompt:delete'] })
  @HasId('id', 'Id of the prompt.')
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('precondition_failed')
  remove(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.prompts.remove(caller, id, precondition);
  }
}
