import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '@atrium/platform/access';
import { PublishedKeys } from '../application/published-keys';
import { SigningKeys } from '../application/signing-keys';

/** The public keys that verify our access tokens, and what else we sign. */
@ApiExcludeController()
@Controller('.well-known')
export class JwksController {
  constructor(
    private readonly keys: SigningKeys,
    private readonly others: PublishedKeys,
  ) {}

  @Get('jwks.json')
  @Public('public keys are public')
  @Header('Cache-Control', 'public, max-age=300')
  async jwks(): Promise<object> {
    const { keys } = await this.keys.getPublicKeySet();
    return { keys: [...keys, ...(await this.others.collectKeys())] };
  }
}
