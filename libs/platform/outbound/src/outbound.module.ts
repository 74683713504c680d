import { Global, Module } from '@nestjs/common';
import { Credentials } from './credentials';
import { GuardedHttp } from './guarded-http';
import { GuardedSockets } from './guarded-sockets';
import { OutboundRetries } from './outbound-retries';
import { RequestPaces } from './request-paces';

const OUTBOUND = [GuardedHttp, GuardedSockets, Credentials, OutboundRetries, RequestPaces];

/** Outbound requests, for the contexts that call addresses and providers of a workspace. */
@Global()
@Module({ providers: OUTBOUND, exports: OUTBOUND })
export class OutboundModule {}
