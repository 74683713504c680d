export * from './credentials';
export * from './guarded-http';
export * from './guarded-sockets';
export * from './multipart-form';
export type { OutboundMethod, OutboundOptions, OutboundTimeouts, Trace } from './outbound-request';
export * from './outbound.module';
export type { Resolver } from './target';
