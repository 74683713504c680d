import { Global, Module } from '@nestjs/common';
import { Credentials } from './credentials';
import { GuardedHttp } from './guarded-http';

/** The way out of the house, for the contexts that speak to addresses and providers of a workspace. */
@Global()
@Module({ providers: [GuardedHttp, Credentials], exports: [GuardedHttp, Credentials] })
export class OutboundModule {}
