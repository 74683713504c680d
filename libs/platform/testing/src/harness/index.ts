export * from './api-harness';
export * from './eventually';
export * from './client';
