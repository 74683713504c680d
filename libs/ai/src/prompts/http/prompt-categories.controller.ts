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
   * Lists the prompt categories with their prompt counts.
   *
   * Categories are sorted by position. Deleted categories are listed only with `pcat_active=false`.
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
   * Fails with 409 `already_exists` if a category with the same parent has the same name, and with `invalid_move`
   * beyond five levels.
   */
  @Post()
  @Policy({ all: ['prompt:edit'] })
  @Creates(PromptCategoryView, 'prompt-categories/{pcat_id}')
  @Problems('already_exists', 'invalid_move')
  create(@Caller() caller: Principal, @FromBody() body: CreatePromptCategory): Promise<CategoryAnswer> {
    return this.categories.create(caller, body);
  }

  /** Reads a prompt category. */
  @Get(':id')
  @Policy({ any: ['prompt:view'] })
  @HasId('id', 'Id of the category.')
  @ReturnsState(PromptCategoryView, 'The prompt category.')
  get(@Caller() caller: Principal, @PathId() id: string): Promise<CategoryAnswer> {
    return this.categories.get(caller, id);
  }

  /**
   * Changes or moves a prompt category.
   *
   * Its subcategories move with it. Fails with 409 `invalid_move` if it is moved into itself or one of its
   * subcategories, and beyond five levels. `pcat_active: true` restores a deleted category, which cannot be changed
   * otherwise (409).
   */
  @Patch(':id')
  @Policy({ all: ['prompt:edit'] })
  @HasId('id', 'Id of the category.')
  @HonoursIfMatch()
  @ReturnsState(PromptCategoryView, 'The prompt category.')
  @Problems('already_exists', 'invalid_move', 'invalid_state', 'precondition_failed')
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
   * Its subcategories move to its parent, and its prompts are removed from it. Fails with 409 if a subcategory has
   * the same name as a category at the new level.
   */
  @Delete(':id')
  @Policy({ all: ['prompt:edit'] })
  @HasId('id', 'Id of the category.')
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('already_exists', 'precondition_failed')
  remove(@PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.categories.remove(id, precondition);
  }
}
