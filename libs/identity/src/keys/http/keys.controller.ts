import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal, Public, self } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import {
  AnswersSecret,
  Creates,
  Deletes,
  HasId,
  HonoursIfMatch,
  IfMatch,
  PathId,
  Problems,
  Returns,
  ReturnsResource,
  Takes,
} from '@atrium/platform/http';
import { KeyMakerService, type KeyAnswer, type KeyWithSecret } from '../application/key-maker.service';
import { KeysService, type KeyLine } from '../application/keys.service';
import { LeakReportsService } from '../application/leak-reports.service';
import {
  ChangeKey,
  ChangeOwnKey,
  CreateKey,
  CreateOwnKey,
  KeyPage,
  KeyView,
  KeyWithSecretView,
  LeakReport,
  ListKeys,
  ListOwnKeys,
  RotateKey,
} from './keys.dto';

@ApiTags('API keys')
@Controller('admin/api-keys')
export class KeysController {
  constructor(
    private readonly keys: KeysService,
    private readonly maker: KeyMakerService,
  ) {}

  /**
   * Lists the API keys of the workspace.
   *
   * Newest first; never with their secrets. `unused_days` finds keys that nobody needs any more.
   */
  @Get()
  @Policy({ any: ['admin:api-keys'] })
  @Returns(KeyPage, 'A page of keys.')
  list(@Query() query: ListKeys): Promise<Page<KeyLine>> {
    return this.keys.list(query);
  }

  /**
   * Creates an API key for a service, an extension or oneself.
   *
   * The answer alone shows `key_secret`. A key carries nothing its maker lacks; made with a key, it ends no later than
   * that one. A user has at most 100 active keys.
   */
  @Post()
  @Policy({ any: ['admin:api-keys'], log: 'none' })
  @Creates(KeyWithSecretView, 'admin/api-keys/{key_id}')
  @AnswersSecret()
  @Problems('invalid_state', 'limit_reached')
  create(@Caller() caller: Principal, @FromBody() body: CreateKey): Promise<KeyWithSecret> {
    return this.maker.create(caller, body);
  }

  /**
   * Reads an API key, without its secret.
   */
  @Get(':id')
  @Policy({ any: ['admin:api-keys'] })
  @HasId()
  @ReturnsResource(KeyView)
  one(@PathId() id: string): Promise<KeyAnswer> {
    return this.keys.one(id);
  }

  /**
   * Changes an API key.
   *
   * Scopes become narrower, or lie within what you hold; the end becomes sooner. Effective with the next request.
   */
  @Patch(':id')
  @Policy({ any: ['admin:api-keys'] })
  @HasId()
  @HonoursIfMatch()
  @ReturnsResource(KeyView)
  @Problems('invalid_state')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeKey,
    @IfMatch() precondition?: Precondition,
  ): Promise<KeyAnswer> {
    return this.keys.change(caller, id, body, 'all', precondition);
  }

  /**
   * Revokes an API key.
   *
   * It is refused from the next request on, and stays in the list as revoked.
   */
  @Delete(':id')
  @Named('revokeApiKey')
  @Policy({ any: ['admin:api-keys'] })
  @HasId()
  @HonoursIfMatch()
  @Deletes()
  revoke(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.keys.revoke(caller, id, 'all', precondition);
  }

  /**
   * Gives an API key a new secret.
   *
   * Id and prefix stay. The former secret works until the overlap ends; until then it is not rotated again. Of two
   * rotations at once one answers 409. People rotate their own keys.
   */
  @Post(':id/rotate')
  @Policy({ any: ['admin:api-keys'], log: 'none' })
  @HasId()
  @Returns(KeyWithSecretView, 'The key with its new secret.')
  @AnswersSecret()
  @Problems('invalid_state')
  rotate(@Caller() caller: Principal, @PathId() id: string, @FromBody() { overlap_seconds = 0 }: RotateKey): Promise<KeyWithSecret> {
    return this.keys.rotate(caller, id, overlap_seconds, 'all');
  }
}

@ApiTags('Me')
@Controller('me/api-keys')
export class OwnKeysController {
  constructor(
    private readonly keys: KeysService,
    private readonly maker: KeyMakerService,
  ) {}

  /**
   * Lists your own API keys of this workspace.
   */
  @Get()
  @Policy(self, { byKey: ['admin:api-keys'] })
  @Returns(KeyPage, 'A page of keys.')
  list(@Caller() caller: Principal, @Query() query: ListOwnKeys): Promise<Page<KeyLine>> {
    return this.keys.listOwn(caller, query);
  }

  /**
   * Creates an API key of your own.
   *
   * Asks for somebody who is signed in: a key makes no key here. The answer alone shows `key_secret`. Scopes lie within
   * what you hold; absent, the key carries all of it, today's and tomorrow's.
   */
  @Post()
  @Policy(self, { byKey: 'refused', stepUp: true, log: 'none' })
  @Creates(KeyWithSecretView, 'me/api-keys/{key_id}')
  @AnswersSecret()
  @Problems('permission_denied', 'limit_reached')
  create(@Caller() caller: Principal, @FromBody() body: CreateOwnKey): Promise<KeyWithSecret> {
    return this.maker.createOwn(caller, body);
  }

  /**
   * Changes an API key of your own.
   */
  @Patch(':id')
  @Policy(self)
  @HasId()
  @HonoursIfMatch()
  @ReturnsResource(KeyView)
  @Problems('permission_denied', 'invalid_state')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeOwnKey,
    @IfMatch() precondition?: Precondition,
  ): Promise<KeyAnswer> {
    return this.keys.change(caller, id, body, 'own', precondition);
  }

  /**
   * Revokes an API key of your own.
   */
  @Delete(':id')
  @Named('revokeMyApiKey')
  @Policy(self)
  @HasId()
  @HonoursIfMatch()
  @Deletes()
  @Problems('permission_denied')
  revoke(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.keys.revoke(caller, id, 'own', precondition);
  }

  /**
   * Gives an API key of your own a new secret.
   *
   * The former secret works until the overlap ends; until then it is not rotated again.
   */
  @Post(':id/rotate')
  @Policy(self, { log: 'none' })
  @HasId()
  @Returns(KeyWithSecretView, 'The key with its new secret.')
  @AnswersSecret()
  @Problems('permission_denied', 'invalid_state')
  rotate(@Caller() caller: Principal, @PathId() id: string, @FromBody() { overlap_seconds = 0 }: RotateKey): Promise<KeyWithSecret> {
    return this.keys.rotate(caller, id, overlap_seconds, 'own');
  }
}

@ApiTags('Sign-in')
@Controller('auth')
export class LeakReportsController {
  constructor(private readonly reports: LeakReportsService) {}

  /**
   * Reports API keys that have leaked.
   *
   * Every string that is a live key is revoked at once, and its owner and the administrators are told. Showing a key whole
   * is proof enough. The answer is the same whether anything was found.
   */
  @Post('leak-reports')
  @Named('reportLeakedKeys')
  @Public('whoever holds a leaked key may have it revoked', { rate: 'auth', log: 'none' })
  @Takes()
  report(@FromBody() { keys }: LeakReport): Promise<Record<string, never>> {
    return this.reports.report(keys);
  }
}
