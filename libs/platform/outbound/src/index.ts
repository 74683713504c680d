export * from './credentials';
export * from './guarded-http';
export * from './guarded-sockets';
export * from './multipart-form';
export type { OutboundMethod, OutboundOptions, OutboundTimeouts, Trace } from './outbound-request';
export * from './outbound-retries';
export * from './outbound.module';
export * from './request-paces';
export type { Resolver } from './target';
