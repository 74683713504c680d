import { Module, type Provider } from '@nestjs/common';
import { OutboundModule } from '@atrium/platform/outbound';
import { SocialPort } from './domain/social-port';
import { ApiVersionRows } from './infrastructure/api-versions.rows';
import { LinkedInAccounts } from './infrastructure/linkedin-accounts';
import { LinkedInAdapter } from './infrastructure/linkedin-adapter';
import { LinkedInCalls } from './infrastructure/linkedin-calls';
import { LinkedInUploads } from './infrastructure/linkedin-uploads';

const NETWORK: Provider[] = [
  ApiVersionRows,
  LinkedInAccounts,
  LinkedInCalls,
  LinkedInUploads,
  { provide: SocialPort, useClass: LinkedInAdapter },
];

/** The networks that posts are sent to. */
@Module({ imports: [OutboundModule], providers: NETWORK, exports: [SocialPort] })
export class NetworkModule {}
