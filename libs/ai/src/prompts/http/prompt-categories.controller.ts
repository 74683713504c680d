import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import { PromptCategoriesService, type CategoryAnswer } from '../application/prompt-categories.service';
import { ChangePromptCategory, CreatePromptCategory, ListPromptCategories, PromptCategoryPage, PromptCategoryView } from './prompts.dto';

@ApiTags('Prompt categories')
@Controller('prompt-categories')
export class PromptCategoriesController {
  constructor(private readonly categories: PromptCategoriesService) {}

  /**
   * Lists the prompt categories with the numbers of their prompts.
   *
   * In their order. Deleted ones are left out unless `pcat_active=false` asks for them.
   */
  @Get()
  @Policy({ any: ['prompt:view'] })
  @Returns(PromptCategoryPage, 'A page of prompt categories.')
  list(@Caller() caller: Principal, @Query() query: ListPromptCategories): Promise<Page<CategoryAnswer>> {
    return this.categories.list(caller, query);
  }

  /**
   * Creates a prompt category.
   *
   * 409 `already_exists` when a sibling has the name, `invalid_move` beyond five levels.
   */
  @Post()
  @Policy({ all: ['prompt:edit'] })
  @Creates(PromptCategoryView, 'prompt-categories/{pcat_id}')
  @Problems('already_exists', 'invalid_move')
  create(@Caller() caller: Principal, @FromBody() body: CreatePromptCategory): Promise<CategoryAnswer> {
    return this.categories.create(caller, body);
  }

  /** Reads one prompt category. */
  @Get(':id')
  @Policy({ any: ['prompt:view'] })
  @HasId('id', 'Id of the category.')
  @ReturnsState(PromptCategoryView, 'The prompt category.')
  one(@Caller() caller: Principal, @PathId() id: string): Promise<CategoryAnswer> {
    return this.categories.one(caller, id);
  }

  /**
   * Changes or moves a prompt category.
   *
   * What is below it moves with it. 409 `invalid_move` for a move into itself or below itself, and beyond five levels.
   */
  @Patch(':id')
  @Policy({ all: ['prompt:edit'] })
  @HasId('id', 'Id of the category.')
  @HonoursIfMatch()
  @ReturnsState(PromptCategoryView, 'The prompt category.')
  @Problems('already_exists', 'invalid_move', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangePromptCategory,
    @IfMatch() precondition?: Precondition,
  ): Promise<CategoryAnswer> {
    return this.categories.change(caller, id, body, precondition);
  }

  /**
   * Deletes a prompt category.
   *
   * Categories below it move to its parent, and prompts are no longer in it. 409 when one of those has the name of a category
   * that is there already.
   */
  @Delete(':id')
  @Policy({ all: ['prompt:edit'] })
  @HasId('id', 'Id of the category.')
  @HonoursIfMatch()
  @Deletes()
  @Problems('already_exists', 'precondition_failed')
  remove(@PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.categories.remove(id, precondition);
  }
}
