import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ModelProviders, type ShownProvider } from '@atrium/models';
import { Caller, Policy, type Principal } from '@atrium/platform/access';
import { pageOfRows, type Page, type Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import { ModelCatalog, type PricedModel } from './model-catalog.service';
import {
  ChangeModelProvider,
  CreateModelProvider,
  ListModelProviders,
  ListModels,
  ModelPage,
  ModelProviderPage,
  ModelProviderView,
  ModelView,
} from './models.dto';

@ApiTags('Models')
@Controller('models')
export class ModelsController {
  constructor(private readonly models: ModelCatalog) {}

  /**
   * Lists the available models with their prices.
   *
   * Models of the workspace's own providers come first, followed by those of the installation. `atrium/extract-1` is
   * built in: it quotes sentences of your sources instead of writing text, and is the default if no other model is
   * configured.
   */
  @Get()
  @Policy({ any: ['agent:view', 'agent:run', 'thread:create'] })
  @Returns(ModelPage, 'A page of models.')
  async list(@Query() query: ListModels): Promise<Page<PricedModel>> {
    return pageOfRows(ModelView, await this.models.listModels(), query, ({ model_id }) => model_id);
  }
}

@ApiTags('Models')
@Controller('model-providers')
export class ModelProvidersController {
  constructor(private readonly providers: ModelProviders) {}

  /**
   * Lists the model providers.
   *
   * The newest come first. Providers of the installation (`mp_managed`) come last and are read-only.
   */
  @Get()
  @Policy({ any: ['admin:settings'] })
  @Returns(ModelProviderPage, 'A page of model providers.')
  async list(@Query() query: ListModelProviders): Promise<Page<ShownProvider>> {
    return pageOfRows(ModelProviderView, await this.providers.list(), query, ({ mp_id }) => mp_id);
  }

  /**
   * Adds a model provider.
   *
   * The base URL must be reachable from the service; an address in a private network is rejected unless the operator
   * allows it. Fails with 409 if the name is already in use. A workspace can have at most 100 providers.
   */
  @Post()
  @Policy({ all: ['admin:settings'] })
  @Creates(ModelProviderView, 'model-providers/{mp_id}')
  @Problems('already_exists', 'limit_reached', 'unprocessable_content', 'upstream_failed', 'upstream_timeout')
  create(@FromBody() body: CreateModelProvider): Promise<ShownProvider> {
    return this.providers.create(body);
  }

  /** Reads a model provider. */
  @Get(':id')
  @Policy({ any: ['admin:settings'] })
  @HasId('id', 'Id of the provider.')
  @ReturnsState(ModelProviderView, 'The model provider.')
  get(@PathId() id: string): Promise<ShownProvider> {
    return this.providers.get(id);
  }

  /**
   * Changes a model provider.
   *
   * `mp_models` and `mp_headers` are replaced as a whole. Changing the name changes the ids of its models. If
   * `mp_base_url` moves to another host, you must send `mp_key` and `mp_headers` again or remove them: they are never
   * sent to a host for which they were not entered. Fails with 409 for a provider of the installation.
   */
  @Patch(':id')
  @Policy({ all: ['admin:settings'] })
  @HasId('id', 'Id of the provider.')
  @HonoursIfMatch()
  @ReturnsState(ModelProviderView, 'The model provider.')
  @Problems('already_exists', 'invalid_state', 'precondition_failed', 'unprocessable_content', 'upstream_failed', 'upstream_timeout')
  change(@PathId() id: string, @FromBody() body: ChangeModelProvider, @IfMatch() precondition?: Precondition): Promise<ShownProvider> {
    return this.providers.change(id, body, precondition);
  }

  /**
   * Removes a model provider and its key.
   *
   * Fails with 409 while an active agent uses one of its models, and for a provider of the installation.
   */
  @Delete(':id')
  @Policy({ all: ['admin:settings'] })
  @HasId('id', 'Id of the provider.')
  @HonoursIfMatch()
  @Deletes()
  @Problems('in_use', 'invalid_state', 'precondition_failed')
  remove(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.providers.remove(caller, id, precondition);
  }
}
