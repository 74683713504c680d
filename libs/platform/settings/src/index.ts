export * from './faults';
export * from './setting';
export * from './setting-reader';
