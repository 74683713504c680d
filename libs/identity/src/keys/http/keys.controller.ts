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
import { KeyCreationService, type KeyAnswer, type KeyWithSecret } from '../application/key-creation.service';
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
    private readonly maker: KeyCreationService,
  ) {}

  /**
   * Lists the API keys of the workspace.
   *
   * Sorted by creation time, newest first. Secrets are not included. Use `unused_days` to find keys that are no longer used.
   */
  @Get()
  @Policy({ any: ['admin:api-keys'] })
  @Returns(KeyPage, 'A page of keys.')
  list(@Query() query: ListKeys): Promise<Page<KeyLine>> {
    return this.keys.list(query);
  }

  /**
   * Creates an API key for a service, an extension or yourself.
   *
   * `key_secret` is returned only in this response. A key cannot have permissions that you do not have; a key created with another key
   * expires no later than that one. A user can have at most 100 active keys.
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
  get(@PathId() id: string): Promise<KeyAnswer> {
    return this.keys.get(id);
  }

  /**
   * Changes an API key.
   *
   * Scopes can be narrowed, or replaced by scopes that you hold yourself. `key_expires_at` can only be moved to an earlier time. The
   * change takes effect with the next request.
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
   * It is refused from the next request on and remains in the list with the status `revoked`.
   */
  @Delete(':id')
  @Named('revokeApiKey')
  @Policy({ any: ['admin:api-keys'] })
  @HasId()
  @HonoursIfMatch()
  @Deletes({ stays: true })
  revoke(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.keys.revoke(caller, id, 'all', precondition);
  }

  /**
   * Rotates the secret of an API key.
   *
   * The id and prefix stay the same. The previous secret remains valid until the overlap ends, and the key cannot be rotated again
   * before then. Of two simultaneous rotations, one returns 409. Personal keys can only be rotated by their owner.
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
    private readonly maker: KeyCreationService,
  ) {}

  /** Lists your API keys in this workspace. */
  @Get()
  @Policy(self, { byKey: ['admin:api-keys'] })
  @Returns(KeyPage, 'A page of keys.')
  list(@Caller() caller: Principal, @Query() query: ListOwnKeys): Promise<Page<KeyLine>> {
    return this.keys.listOwn(caller, query);
  }

  /**
   * Creates a personal API key.
   *
   * Requires a signed-in person: API keys cannot be created with an API key. `key_secret` is returned only in this response. Scopes
   * must be permissions that you hold. Without scopes, the key has all your permissions, including those you are granted later.
   */
  @Post()
  @Policy(self, { byKey: 'refused', stepUp: true, log: 'none' })
  @Creates(KeyWithSecretView, 'me/api-keys/{key_id}')
  @AnswersSecret()
  @Problems('permission_denied', 'limit_reached')
  create(@Caller() caller: Principal, @FromBody() body: CreateOwnKey): Promise<KeyWithSecret> {
    return this.maker.createOwn(caller, body);
  }

  /** Changes one of your API keys. */
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

  /** Revokes one of your API keys. */
  @Delete(':id')
  @Named('revokeMyApiKey')
  @Policy(self)
  @HasId()
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('permission_denied')
  revoke(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.keys.revoke(caller, id, 'own', precondition);
  }

  /**
   * Rotates the secret of one of your API keys.
   *
   * The previous secret remains valid until the overlap ends, and the key cannot be rotated again before then.
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
   * Every submitted string that is an active key is revoked immediately, and its owner and the administrators are notified. Submitting
   * a complete key is sufficient proof. The response is the same whether or not a key was found.
   */
  @Post('leak-reports')
  @Named('reportLeakedKeys')
  @Public('the leaked key itself is the proof', { rate: 'auth', log: 'none' })
  @Takes()
  report(@FromBody() { keys }: LeakReport): Promise<Record<string, never>> {
    return this.reports.reportLeakedKeys(keys);
  }
}
