export * from './logger';
export * from './metrics';
export * from './observability.module';
export * from './probe-listener';
export * from './scrape-permission';
export * from './start-failure';
