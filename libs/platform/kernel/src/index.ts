export * from './clock';
export * from './domain-event';
export * from './ids';
export * from './json';
export * from './problem';
export * from './state-machine';
