export * from './clock';
export * from './domain-event';
export * from './ids';
export * from './json';
export * from './lanes';
export * from './outage';
export * from './problem';
export * from './state-machine';
