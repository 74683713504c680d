export * from './bounded-pattern';
export * from './program-size';
