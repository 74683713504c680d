export * from './test-database';
export * from './plain-statements';
