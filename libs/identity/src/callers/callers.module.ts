import { Module, type Provider } from '@nestjs/common';
import { AccessModule, RequesterDirectory, CallerDirectory, type Requester } from '@atrium/platform/access';
import { ThrottleModule } from '../throttle/throttle.module';
import { ActingCallers } from './application/acting-callers';
import { CallerStamps } from './infrastructure/caller-stamps';
import { Callers } from './application/callers';
import { PublishedKeys } from './application/published-keys';
import { SigningKeys } from './application/signing-keys';
import { JwksController } from './http/jwks.controller';
import { CallerRows } from './infrastructure/caller.rows';
import { SigningKeyRows } from './infrastructure/signing-key.rows';

const CALLERS: Provider[] = [
  ActingCallers,
  {
    provide: RequesterDirectory,
    inject: [ActingCallers],
    useFactory: (callers: ActingCallers): RequesterDirectory => ({
      resolvePrincipal: (asker: Requester) => callers.resolvePrincipal(asker),
    }),
  },
  CallerRows,
  CallerStamps,
  { provide: CallerDirectory, useClass: Callers },
  PublishedKeys,
  SigningKeyRows,
  SigningKeys,
];

/** Who is calling, in which workspace, and by what they are known: the signature of a session or the hash of a key. */
@Module({ imports: [ThrottleModule], providers: CALLERS, exports: CALLERS })
export class CallersModule {}

/** The guard of all routes, and the public keys. */
@Module({ imports: [CallersModule, AccessModule], controllers: [JwksController] })
export class CallersHttpModule {}
