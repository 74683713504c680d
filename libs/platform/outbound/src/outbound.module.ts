import { Global, Module } from '@nestjs/common';
import { Credentials } from './credentials';
import { GuardedHttp } from './guarded-http';

/** Outbound requests, for the contexts that call addresses and providers of a workspace. */
@Global()
@Module({ providers: [GuardedHttp, Credentials], exports: [GuardedHttp, Credentials] })
export class OutboundModule {}
