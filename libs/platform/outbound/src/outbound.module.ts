import { Global, Module } from '@nestjs/common';
import { Credentials } from './credentials';
import { GuardedHttp } from './guarded-http';
import { GuardedSockets } from './guarded-sockets';

/** Outbound requests, for the contexts that call addresses and providers of a workspace. */
@Global()
@Module({ providers: [GuardedHttp, GuardedSockets, Credentials], exports: [GuardedHttp, GuardedSockets, Credentials] })
export class OutboundModule {}
