export * from './api-harness';
export * from './eventually';
export * from './client';
export * from './free-port';
export * from './input-faults';
